"""Answers what a framework behind a proxy takes for the request of the client.

Arguments: werkzeug, django or uvicorn; port; the path above the application.
"""

import json
import sys
from wsgiref.simple_server import make_server


def werkzeug(port, _):
    from werkzeug.middleware.proxy_fix import ProxyFix
    from werkzeug.wrappers import Request, Response

    @Request.application
    def application(request):
        return Response(json.dumps({
            "scheme": request.scheme, "host": request.host, "client": request.remote_addr, "url": request.url}))

    # It learns its prefix from X-Forwarded-Prefix.
    fixed = ProxyFix(application, x_for=1, x_proto=1, x_host=1, x_port=1, x_prefix=1)
    make_server("127.0.0.1", port, fixed).serve_forever()


def django(port, prefix):
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application
    from django.http import JsonResponse
    from django.urls import re_path

    def view(request):
        # Django has nothing for the address of the client.
        return JsonResponse({
            "scheme": request.scheme, "host": request.get_host(), "port": request.get_port(), "url": request.build_absolute_uri()})

    settings.configure(
        ROOT_URLCONF=(re_path("", view),), ALLOWED_HOSTS=["localhost"], FORCE_SCRIPT_NAME=prefix,
        SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"), USE_X_FORWARDED_HOST=True, USE_X_FORWARDED_PORT=True)
    make_server("127.0.0.1", port, get_wsgi_application()).serve_forever()


def uvicorn(port, prefix):
    import uvicorn as server

    async def application(scope, receive, send):
        host = dict(scope["headers"])[b"host"].decode()
        body = json.dumps({
            "scheme": scope["scheme"], "host": host, "client": scope["client"][0],
            "url": f"{scope['scheme']}://{host}{scope['path']}?{scope['query_string'].decode()}"}).encode()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    server.run(application, host="127.0.0.1", port=port, root_path=prefix, forwarded_allow_ips="127.0.0.1", lifespan="off")


{"werkzeug": werkzeug, "django": django, "uvicorn": uvicorn}[sys.argv[1]](int(sys.argv[2]), sys.argv[3])
