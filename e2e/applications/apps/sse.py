"""Server-sent events of uvicorn and Starlette, with EventSource of Chromium and with httpx."""

from harness.place import Site

HTTP2 = True
PACKAGES = ["uvicorn==0.54.0", "starlette==1.10.0", "httpx[http2]==0.28.1"]


def serve(place):
    python = place.python(*PACKAGES)
    sites = []
    for path in ("/", "/below"):
        port = place.port()
        node = place.start(python, "-m", "uvicorn", "--app-dir", place.home / "clients", "events:app", "--port", port,
                           "--root-path", path.rstrip("/"), "--log-level", "warning", port=port)
        sites.append(Site(path, [node], strip=path != "/"))
    return sites


def use(place, url):
    said = place.run(place.python(*PACKAGES), place.home / "clients/events_client.py", url).strip()
    return f"{said}; Chromium: {place.browser('events.mjs', url)}"
