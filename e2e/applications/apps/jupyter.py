"""JupyterLab: Chromium opens a notebook and runs a cell, over the WebSocket of a kernel."""

import json

from harness.place import Site

HTTP2 = True
PACKAGES = ["jupyterlab==4.6.6", "ipykernel==7.4.0"]


def serve(place):
    python = place.python(*PACKAGES)
    sites = []
    for path in ("/", "/below/lab/"):
        port = place.port()
        root = place.make(f"notebooks{port}")
        (root / "a.ipynb").write_text(json.dumps({
            "nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
            "cells": [{"id": "one", "cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
                       "source": "import time\nfor n in range(3):\n    print('part', n, flush=True)\n    time.sleep(0.3)\nprint('sum', sum(range(1000)))"}]}))
        node = place.start(
            python, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={port}", "--ServerApp.port_retries=0",
            f"--ServerApp.base_url={path}", f"--ServerApp.root_dir={root}", "--IdentityProvider.token=a-token",
            "--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", port=port)
        sites.append(Site(path.rstrip("/") or "/", [node]))
    return sites


def use(place, url):
    return place.browser("notebook.mjs", url)
