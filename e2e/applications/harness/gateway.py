"""Gateways in front of the sites of an application: HTTP and HTTPS on free ports."""

import collections
import itertools
import json
import os
import pathlib
import re
import ssl
import time
import urllib.error
import urllib.request

from .place import Failure, tail

DISTRIBUTION = pathlib.Path(__file__).resolve().parents[3] / "deploy/cli/target/sigma"
# The log is written after the answer, in batches.
LOG_SECONDS = 0.5


class Listening:
    """What both kinds share: two ports, and a log that says what clients spoke."""

    def __init__(self, place, sites, settings):
        self.place = place
        self.sites = sites
        self.settings = settings
        self.ports = {"http": place.port(), "https": place.port()}
        self.log = place.folder / "access.log"
        self.home = pathlib.Path(os.environ.get("SIGMA_HOME") or DISTRIBUTION)
        self.read_from = 0

    def start(self, arguments, port, **env):
        self.place.start(
            self.home / "bin/sigma", *arguments, port=port, seconds=300,
            env=dict(SIGMA_DATA_DIR=str(self.place.make("sigma")), SIGMA_TELEMETRY_PORT="0", SIGMA_LISTEN_HOST="127.0.0.1",
                     SIGMA_ACCESS_LOG=str(self.log), SIGMA_STOP_DELAY_MILLIS="0", SIGMA_DRAIN_MILLIS="1000", **env))

    def __exit__(self, *_):
        self.place.__exit__()

    def url(self, scheme, site):
        return f"{scheme}://localhost:{self.ports[scheme]}{site.prefix}"

    def warm(self):
        """Sends first requests, which on a busy machine may take longer than a connection to a node may."""
        trusting = ssl.create_default_context(cafile=self.place.env["SSL_CERT_FILE"])
        for scheme, site in itertools.product(self.ports, self.sites):
            for _ in range(10):
                try:
                    urllib.request.urlopen(self.url(scheme, site) + "/", timeout=60, context=trusting).close()
                    break
                except urllib.error.HTTPError as answer:
                    if answer.code != 504:
                        break
                except OSError:
                    time.sleep(1)
        time.sleep(LOG_SECONDS)

    def forget_log(self):
        self.read_from = self.log.stat().st_size if self.log.exists() else 0

    def records(self):
        if not self.log.exists():
            return []
        with self.log.open("rb") as log:
            log.seek(self.read_from)
            return [json.loads(line) for line in log.read().splitlines() if line.endswith(b"}")]

    def spoken(self, site):
        """How many requests came on which version of HTTP."""
        time.sleep(LOG_SECONDS)
        counts = collections.Counter(record.get("protocol", "?") for record in self.records())
        return ", ".join(f"{count} x {protocol}" for protocol, count in sorted(counts.items())) or "no request"

    def errors(self):
        found = [f"{record.get('method')} {record.get('path')} {record.get('status')} {record.get('error', '')}".strip()
                 for record in self.records() if record.get("error") or record.get("status", 0) >= 400]
        return tail("\n".join(found)) or "none"


class Gateway(Listening):
    """A gateway of one sigma.json."""

    def __enter__(self):
        file = self.place.folder / "sigma.json"
        file.write_text(json.dumps(self.sigma_json(), indent=2))
        self.start(["gateway", "--config", file], self.ports["https"])
        self.place.wait_for(self.place.processes[-1], self.ports["http"], self.log, 30)
        self.warm()
        return self

    def sigma_json(self):
        names = [f"site{number}" for number in range(len(self.sites))]
        routes = [{"id": name, "enable": True, "path": site.prefix + "/*", "proxy-pass-id": name}
                  for name, site in zip(names, self.sites)]
        passes = [{"id": name, "upstream-id": name, "plugin": rewrite(site)} for name, site in zip(names, self.sites)]
        authority = self.place.authority
        return {
            "proxy-server": {
                "http": {"id": "http", "port": self.ports["http"]},
                "https": {"id": "https", "enable": True, "port": self.ports["https"], "ssl": {
                    "type": "pem", "keyPath": str(authority.key), "certPath": str(authority.chain)}},
            },
            "router": [dict({"id": listener, "enable": True, "proxy-server-id": listener, "route": [
                dict(route, id=f"{listener}-{route['id']}") for route in routes]}, **self.settings.get("router", {}))
                for listener in ("http", "https")],
            "proxy-pass": passes,
            "upstream": [{"id": name, "nodes": site.nodes} for name, site in zip(names, self.sites)],
        }


def rewrite(site):
    if not site.strip:
        return {}
    return {"rewrite-path": {"enable": True, "regexp": re.escape(site.prefix) + "(?<rest>/.*)", "replacement": "${rest}"}}


class Standalone(Listening):
    """A gateway with its control plane, for fields that a sigma.json does not have."""

    def __enter__(self):
        self.api = self.place.port()
        self.start(["standalone"], self.api, SIGMA_ADMIN_PORT=str(self.api), SIGMA_ADMIN_TOKEN="token-of-the-applications")
        self.wait_until_ready()
        authority = self.place.authority
        self.put("certificates/localhost", {"chain": authority.chain.read_text(), "privateKey": authority.key.read_text()})
        for scheme, port in self.ports.items():
            tls = {"tls": {}} if scheme == "https" else {}
            self.put(f"proxy-servers/{scheme}", {"protocol": scheme.upper(), "port": port, **tls})
            self.put(f"routers/{scheme}", {"proxyServerId": scheme})
        for number, site in enumerate(self.sites):
            name = f"site{number}"
            self.put(f"upstreams/{name}", {"nodes": [{"url": url} for url in site.nodes], **self.settings.get("upstream", {})})
            strip = {"stripPrefix": site.prefix} if site.strip else {}
            self.put(f"proxy-passes/{name}", {"upstreamId": name, **strip, **self.settings.get("proxyPass", {})})
            for scheme in self.ports:
                self.put(f"routes/{scheme}-{name}", {"routerId": scheme, "path": site.prefix + "/*", "proxyPassId": name})
        self.warm()
        return self

    def put(self, path, resource):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.api}/api/v1/{path}?wait=all", json.dumps(resource).encode(), method="PUT",
            headers={"Authorization": "Bearer token-of-the-applications", "Content-Type": "application/json"})
        try:
            urllib.request.urlopen(request, timeout=30).close()
        except urllib.error.HTTPError as refused:
            raise Failure(f"PUT {path}: {refused.code} {refused.read().decode()}") from None

    def wait_until_ready(self):
        ends = time.monotonic() + 300
        log = self.place.folder / f"application-{self.api}.log"
        while "Sigma is ready" not in log.read_text(errors="replace"):
            if time.monotonic() > ends:
                raise Failure(f"Sigma is not ready after 300 s: {log}")
            time.sleep(0.2)
