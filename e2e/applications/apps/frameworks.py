"""Frameworks that learn from X-Forwarded-* what the client asked for: Werkzeug's ProxyFix, Django, uvicorn."""

import json
from urllib.parse import urlsplit

from harness.place import Site, expect

HTTP2 = True
STANDALONE = True  # A sigma.json has no stripPrefix, which makes X-Forwarded-Prefix.
PACKAGES = ["Werkzeug==3.1.3", "Django==5.2.8", "uvicorn==0.54.0"]
# The address of the client is another one than that of the gateway.
CLIENT = "127.0.0.2"
LIES = ["X-Forwarded-For: 1.2.3.4", "X-Forwarded-Proto: gopher", "X-Forwarded-Host: evil.example", "X-Forwarded-Port: 1",
        "X-Forwarded-Prefix: /evil", "Forwarded: for=1.2.3.4;proto=gopher"]


def serve(place):
    python = place.python(*PACKAGES)
    sites = []
    for name in ("werkzeug", "django", "uvicorn"):
        port = place.port()
        node = place.start(python, place.home / "clients/frameworks_server.py", name, port, f"/{name}", port=port)
        sites.append(Site(f"/{name}", [node], strip=True))
    return sites


def use(place, url):
    asked = urlsplit(url)
    wanted = {"scheme": asked.scheme, "host": asked.netloc, "port": str(asked.port), "client": CLIENT, "url": f"{url}/who?a=b"}
    for lies in ([], LIES):
        options = [option for field in lies for option in ("-H", field)]
        said = json.loads(place.run("curl", "-sSf", "--interface", CLIENT, *options, wanted["url"]))
        for field, value in said.items():
            expect(f"{field}: {value} (expected: {wanted[field]}); sent: {lies}", value == wanted[field])
    return f"knows {', '.join(said)} of the client, whatever X-Forwarded-* it sends"
