"""The other half of the cases: the node sends what may be wrong, and a client must find it.

kosoku is the node, and the library websockets the client. It speaks HTTP/1.1, over a bridge HTTP/2.
"""

import asyncio

from bridge import Bridge
from kosoku import FailureError, run_fuzzingserver
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

AGENT = "websockets"


def open_at(url):
    return connect(
        url, max_size=1 << 25, ping_interval=None, close_timeout=5, compression=None, proxy=None,
        extensions=[ClientPerMessageDeflateFactory(client_max_window_bits=True)])


async def echo(url):
    try:
        async with open_at(url) as connection:
            async for message in connection:
                await connection.send(message)
    except (WebSocketException, OSError):
        pass  # The node judges, not the client.


async def drive(url):
    """Runs every case of the node."""
    async with open_at(f"{url}/getCaseCount") as connection:
        count = int(await connection.recv())
    for case in range(1, count + 1):
        await echo(f"{url}/runCase?case={case}&agent={AGENT}")
    await echo(f"{url}/updateReports?agent={AGENT}")


async def serve_cases(port, cases, client):
    """Serves `cases` at `port` to `client`, and returns their results."""
    async with run_fuzzingserver(cases, None, host="127.0.0.1", port=port) as server:
        driven = asyncio.create_task(client())
        try:
            results = await server.get_result()
        except FailureError as failure:
            results = failure.results
        await driven
        return results


async def through(gateway, protocol, port, cases):
    target = gateway.tls_port if protocol.endswith("-tls") else gateway.port
    async with Bridge(target, protocol) as bridge:
        return await serve_cases(port, cases, lambda: drive(f"ws://127.0.0.1:{bridge.port}/fuzzer"))


async def run(way, protocol, gateway, port, options, report):
    results = await through(gateway, protocol, port, options.cases)
    failed = [result.case_id for result in results if not result.passed]
    again, plain = {}, {}
    if failed:
        again = {r.case_id: r for r in await through(gateway, protocol, port, failed)}
        plain = {r.case_id: r for r in await serve_cases(port, failed, lambda: drive(f"ws://127.0.0.1:{port}"))}
    report.judge(way, results, again, plain)
