"""Real programs speak WebSocket through a gateway: over HTTP/1.1 and HTTP/2 on either side, in plaintext and on TLS.

The cases are those of the Autobahn test suite, which kosoku runs. A line is printed for each case and way. A case that
fails is tried once more alone, and without the gateway. The exit code is 1 if a case fails that is not one of FAILING.
"""

import argparse
import asyncio
import contextlib
import signal
import sys
import tempfile
from pathlib import Path

import browser
import client
from bridge import Bridge
from gateway import sigma
from kosoku import FailureError, run_fuzzingclient
from processes import TARGET, certificate, free_port, haproxy, nginx, node

# name: the protocol of the client, and the node; kosoku is the client
WAYS = {
    "h1-h1": ("h1", "websockets"),
    "h2-h1": ("h2", "websockets"),
    "h1-h2": ("h1", "haproxy"),
    "h2-h2": ("h2", "haproxy"),
    "h1-h1-tls": ("h1-tls", "websockets-tls"),
    "h2-h1-tls": ("h2-tls", "websockets-tls"),
    "h1-h2-tls": ("h1-tls", "haproxy-tls"),
    "h2-h2-tls": ("h2-tls", "haproxy-tls"),
    "h1-nginx": ("h1", "nginx"),
    "h2-nginx-tls": ("h2-tls", "nginx"),
}

# name: the protocol of the client; the node is kosoku
CLIENTS = {"h1-fuzzer": "h1", "h2-fuzzer": "h2", "h1-fuzzer-tls": "h1-tls", "h2-fuzzer-tls": "h2-tls"}

# The library websockets answers a fragment behind a close frame with 1002 where 1000 is expected.
FAILING = {"7.1.5"}


async def run_cases(url, cases, parallel):
    try:
        return await run_fuzzingclient(url, cases, None, parallel)
    except FailureError as failure:
        return failure.results


async def through(port, protocol, path, cases, parallel):
    """Runs `cases` against the server at `port`, spoken to in `protocol`."""
    async with Bridge(port, protocol) as bridge:
        return await run_cases(f"ws://127.0.0.1:{bridge.port}{path}", cases, parallel)


class Report:
    def __init__(self):
        self.figures = {}
        self.failed = False

    def line(self, way, case, verdict, detail=""):
        passed, alike, failed = self.figures.get(way, (0, 0, 0))
        if verdict == "passed":
            passed += 1
        elif verdict == "failed":
            failed += 1
            self.failed = True
        else:
            alike += 1
        self.figures[way] = passed, alike, failed
        print(f"{way} {case}: {verdict}{' ' if detail else ''}{detail}", flush=True)

    def close(self):
        for way, (passed, alike, failed) in self.figures.items():
            other = f", {alike} fail without the gateway too" if alike else ""
            print(f"{way}: {passed} passed, {failed} failed{other}")

    def judge(self, way, results, again, plain):
        """Prints each of `results`. Those that failed are in `again`, through the gateway, and `plain`, without it."""
        for result in results:
            case = result.case_id
            if result.passed or again[case].passed:
                self.line(way, case, "passed", "" if result.passed else f"at the second try {text(result)}")
            elif not plain[case].passed and case in FAILING:
                self.line(way, case, "fails without the gateway too", text(plain[case]))
            else:
                self.line(way, case, "failed", text(again[case]))


def text(result):
    codes = f"close {result.remote_close_code}" if result.remote_close_code else "no close frame"
    return f"({result.behavior.value}, {result.behavior_close.value}, {codes}: {result.result} {result.result_close})"


async def run_way(way, gateway, direct, options, report):
    """Runs the cases of a way, and those that fail once more: first through the gateway, then without it."""
    protocol, name = WAYS[way]
    port = gateway.tls_port if protocol.endswith("-tls") else gateway.port
    results = await through(port, protocol, f"/{name}/", options.cases, options.parallel)
    failed = [result.case_id for result in results if not result.passed]
    again, plain = {}, {}
    if failed:
        again = {r.case_id: r for r in await through(port, protocol, f"/{name}/", failed, 1)}
        node_port, node_protocol = direct[name]
        plain = {r.case_id: r for r in await through(node_port, node_protocol, "/", failed, 1)}
    report.judge(way, results, again, plain)


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ways", nargs="*", default=[*WAYS, *CLIENTS, "chromium"], help="of: %(default)s")
    parser.add_argument("--cases", nargs="*", help="ids or globs of Autobahn's cases, such as 1.* or 9.7.1; all otherwise")
    parser.add_argument("--parallel", type=int, default=2, help="cases at the same time")
    options = parser.parse_args()
    TARGET.mkdir(exist_ok=True)
    report = Report()
    with contextlib.ExitStack() as started:
        folder = Path(started.enter_context(tempfile.TemporaryDirectory()))
        certificate(folder)
        websockets, websockets_tls = started.enter_context(node("websockets", folder))
        hypercorn, hypercorn_tls = started.enter_context(node("hypercorn", folder))
        proxy = started.enter_context(nginx(folder, websockets))
        balancer, balancer_tls = started.enter_context(haproxy(folder, websockets))
        fuzzer = free_port()
        gateway = started.enter_context(sigma(folder))
        gateway.apply(folder, {
            "websockets": (f"http://127.0.0.1:{websockets}", "HTTP1"),
            "websockets-tls": (f"https://127.0.0.1:{websockets_tls}", "AUTO"),
            "hypercorn": (f"http://127.0.0.1:{hypercorn}", "HTTP2"),
            "hypercorn-tls": (f"https://127.0.0.1:{hypercorn_tls}", "HTTP2"),
            "fuzzer": (f"http://127.0.0.1:{fuzzer}", "HTTP1"),
            **({"haproxy": (f"http://127.0.0.1:{balancer}", "HTTP2"),
                "haproxy-tls": (f"https://127.0.0.1:{balancer_tls}", "HTTP2")} if balancer else {}),
            **({"nginx": (f"http://127.0.0.1:{proxy}", "HTTP1")} if proxy else {})})
        direct = {
            "websockets": (websockets, "h1"), "websockets-tls": (websockets_tls, "h1-tls"),
            "haproxy": (balancer, "h2"), "haproxy-tls": (balancer_tls, "h2-tls"), "nginx": (proxy, "h1")}
        for way in options.ways:
            if way in CLIENTS:
                await client.run(way, CLIENTS[way], gateway, fuzzer, options, report)
            elif way == "chromium":
                await browser.run(gateway, folder, report)
            elif direct[WAYS[way][1]][0] is None:
                print(f"{way}: {WAYS[way][1].removesuffix('-tls')} is not installed, so it is left out")
            else:
                await run_way(way, gateway, direct, options, report)
    report.close()
    return 1 if report.failed else 0


if __name__ == "__main__":
    # So that the programs end with the run.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    sys.exit(asyncio.run(main()))
