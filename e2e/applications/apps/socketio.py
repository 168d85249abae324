"""socket.io over two nodes: polling, then the upgrade to WebSocket; the gateway keeps a client at its node."""

from harness.place import Site

HTTP2 = True
PACKAGES = ["socket.io@4.8.4", "socket.io-client@4.8.4"]
# A node knows only its own sessions, so all requests of a client have to reach one node. HASH by the client's address does
# that without help of the application, as long as a busy node does not pass requests on. A sigma.json has no such key.
STANDALONE = True
SIGMA = {"upstream": {"balancing": "HASH", "hash": {"source": "CLIENT_ADDRESS", "loadPercentMax": 0}}}


def serve(place):
    folder = place.node(*PACKAGES)
    place.run("cp", place.home / "clients/chat_server.mjs", folder)
    sites = []
    for path in ("/", "/below"):
        nodes = []
        for _ in range(2):
            port = place.port()
            nodes.append(place.start("node", folder / "chat_server.mjs", str(port), path.rstrip("/"), port=port))
        sites.append(Site(path, nodes))
    return sites


def use(place, url):
    folder = place.node(*PACKAGES)
    place.run("cp", place.home / "clients/chat_client.mjs", folder)
    said = place.run("node", folder / "chat_client.mjs", url).strip()
    return f"Node.js: {said}; Chromium: {place.browser('chat.mjs', url)}"
