"""Vite's dev server: Chromium loads a page, and a change of a module reaches it over the WebSocket of HMR."""

from harness.place import Site

HTTP2 = True
PACKAGES = ["vite@7.3.8"]


def serve(place):
    folder = place.node(*PACKAGES)
    sites = []
    for path in ("/", "/below/"):
        port = place.port()
        root = place.make(f"page{port}")
        (root / "index.html").write_text('<!doctype html><title>page</title><p id="text"></p><script type="module" src="./main.js"></script>')
        (root / "main.js").write_text(
            "import { text } from './text.js';\n"
            "const show = (text) => { document.getElementById('text').textContent = text; };\n"
            "show(text);\nwindow.loads = (window.loads ?? 0) + 1;\n"
            "import.meta.hot.accept('./text.js', (changed) => show(changed.text));\n")
        (root / "text.js").write_text("export const text = 'first';\n")
        node = place.start(folder / "node_modules/.bin/vite", root, "--host", "127.0.0.1", "--port", port, "--strictPort", "--base", path, port=port)
        site = Site(path.rstrip("/") or "/", [node])
        site.root = root
        sites.append(site)
    place.roots = {site.prefix: site.root for site in sites}
    return sites


def use(place, url):
    prefix = "/below" if url.endswith("/below") else ""
    return place.browser("hot.mjs", url, place.roots[prefix] / "text.js")
