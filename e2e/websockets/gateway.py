"""A Sigma with one gateway. Its paths name nodes: what comes to /websockets goes to the node "websockets"."""

import contextlib
import json
import os
import time
import urllib.error
import urllib.request
from pathlib import Path

from processes import TARGET, free_port, program, wait_for_port

HOME = Path(os.environ.get("SIGMA_HOME", TARGET / "../../../deploy/cli/target/sigma"))
TOKEN = "token-of-the-websocket-tests"


class Sigma:
    def __init__(self, process, admin, log):
        self.process, self.admin, self.log = process, admin, log
        self.port, self.tls_port = free_port(), free_port()

    def apply(self, folder, upstreams):
        """Serves `upstreams`, by name: the URL of the node and its protocol."""
        state = {
            "certificates": [{
                "id": "own", "chain": (folder / "cert.pem").read_text(), "privateKey": (folder / "key.pem").read_text()}],
            "proxyServers": [
                {"id": "plain", "host": "127.0.0.1", "port": self.port},
                {"id": "tls", "host": "127.0.0.1", "port": self.tls_port, "protocol": "HTTPS",
                 "tls": {"certificates": ["own"]}}],
            "routers": [{"id": server, "proxyServerId": server} for server in ("plain", "tls")],
            "upstreams": [
                {"id": name, "nodes": [{"url": url}], "protocol": protocol,
                 **({"tls": {"verify": False}} if url.startswith("https") else {})}
                for name, (url, protocol) in upstreams.items()],
            "proxyPasses": [
                {"id": name, "upstreamId": name, "stripPrefix": f"/{name}"} for name in upstreams],
            "routes": [
                {"id": f"{name}-{router}", "routerId": router, "path": f"/{name}/*", "proxyPassId": name}
                for name in upstreams for router in ("plain", "tls")],
        }
        page = {"status": 200, "contentType": "text/html", "body": "<!doctype html><title>WebSocket</title>"}
        state["proxyPasses"].append({"id": "page", "fixedResponse": page})
        state["routes"] += [
            {"id": f"page-{router}", "routerId": router, "path": "/page", "proxyPassId": "page"}
            for router in ("plain", "tls")]
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.admin}/api/v1/config?wait=all", json.dumps(state).encode(), method="PUT",
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                json.load(answer)
        except urllib.error.HTTPError as refused:
            raise RuntimeError(refused.read().decode()) from refused
        # A gateway that has not reported yet is none of those that the write waits for.
        for port in (self.port, self.tls_port):
            wait_for_port(port, self.process, "sigma")

    def records(self):
        """The records of the access log."""
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []


@contextlib.contextmanager
def sigma(folder):
    admin = free_port()
    log = folder / "access.log"
    environment = {
        "SIGMA_ADMIN_PORT": str(admin), "SIGMA_ADMIN_TOKEN": TOKEN, "SIGMA_DATA_DIR": str(folder / "data"),
        "SIGMA_TELEMETRY_PORT": "0", "SIGMA_ACCESS_LOG": str(log), "SIGMA_DRAIN_MILLIS": "0", "SIGMA_STOP_DELAY_MILLIS": "0"}
    with program("sigma", [HOME / "bin/sigma", "standalone"], environment) as process:
        wait_until_ready(process)
        yield Sigma(process, admin, log)


def wait_until_ready(process):
    for _ in range(1200):
        if "Sigma is ready" in (TARGET / "sigma.log").read_text():
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"Sigma does not start: see {TARGET}/sigma.log")
