"""graphql-ws: subscriptions over WebSocket, with the client of graphql-ws in Chromium and in Node.js."""

from harness.place import Site

HTTP2 = True
PACKAGES = ["graphql-ws@6.0.6", "graphql@16.12.0", "ws@8.18.3"]


def serve(place):
    folder = place.node(*PACKAGES)
    place.run("cp", place.home / "clients/subscriptions_server.mjs", folder)
    sites = []
    for path in ("/", "/below"):
        port = place.port()
        # It answers at /graphql below any prefix that is not stripped.
        node = place.start("node", folder / "subscriptions_server.mjs", str(port), path.rstrip("/"), port=port)
        sites.append(Site(path, [node]))
    return sites


def use(place, url):
    folder = place.node(*PACKAGES)
    place.run("cp", place.home / "clients/subscriptions_client.mjs", folder)
    said = place.run("node", folder / "subscriptions_client.mjs", url).strip()
    return f"Node.js: {said}; Chromium: {place.browser('subscriptions.mjs', url)}"
