"""Chromium opens a page of the gateway over HTTPS, and WebSockets to it from there: on HTTP/2, by extended CONNECT."""

import asyncio
import json
import shutil
import urllib.request

from processes import free_port, program
from websockets.asyncio.client import connect

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# Each is a function of the page that returns what it saw; the answer must be as expected.
CASES = {
    "text of 1 byte": ("echo('a')", "a"),
    "text of no byte": ("echo('')", ""),
    "text of 64 KiB": ("echo('x'.repeat(65536)).then(text => text.length)", 65536),
    "text beyond ASCII": ("echo('\\u00e4\\u20ac\\ud83d\\ude00')", "\u00e4\u20ac\U0001f600"),
    "binary of 1 byte": ("echo(new Uint8Array([255])).then(bytes => [...bytes])", [255]),
    "binary of 1 MiB": ("echo(new Uint8Array(1 << 20).fill(7)).then(bytes => bytes.every(byte => byte === 7) && bytes.length)",
                        1 << 20),
    "binary of 16 MiB": ("echo(new Uint8Array(1 << 24).fill(7)).then(bytes => bytes.every(byte => byte === 7) && bytes.length)",
                         1 << 24),
    "100 messages in order": ("order(100)", True),
    "20 at once": ("Promise.all(Array.from({ length: 20 }, (_, n) => echo(`m${n}`))).then(all => all.join())",
                   ",".join(f"m{n}" for n in range(20))),
    "close with 1000": ("closed(1000, 'done')", [1000, True]),
    "close with 4321 and a reason": ("closed(4321, 'of the \\u00e4pp')", [4321, True]),
    "subprotocol": ("protocol(['chat', 'other'])", "chat"),
    "permessage-deflate": ("opened().then(socket => socket.extensions.split(';')[0])", "permessage-deflate"),
    "refused by the gateway": ("refused('/nowhere')", 1006),
}

FUNCTIONS = """
const opened = (path = PATH, protocols = []) => new Promise((good, bad) => {
  const socket = new WebSocket(`wss://${location.host}${path}`, protocols);
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => good(socket);
  socket.onclose = event => bad(event);
});
const echo = async message => {
  const socket = await opened();
  const answer = await new Promise((good, bad) => {
    socket.onmessage = event => good(event.data);
    socket.onclose = event => bad(new Error(`closed with ${event.code}`));
    socket.send(message);
  });
  socket.onclose = null;
  socket.close();
  return typeof answer === 'string' ? answer : new Uint8Array(answer);
};
const order = async count => {
  const socket = await opened();
  const answers = [];
  await new Promise((good, bad) => {
    socket.onmessage = event => answers.push(event.data) === count && good();
    socket.onclose = event => bad(new Error(`closed with ${event.code}`));
    for (let n = 0; n < count; n++) socket.send(String(n));
  });
  return answers.every((answer, n) => answer === String(n));
};
const closed = async (code, reason) => {
  const socket = await opened();
  return new Promise(good => {
    socket.onclose = event => good([event.code, event.wasClean]);
    socket.close(code, reason);
  });
};
const protocol = async offered => (await opened(PATH, offered)).protocol;
const refused = path => opened(path).then(() => 'opened', event => event.code);
"""


class Page:
    """A page under Chromium's control (the DevTools protocol)."""

    def __init__(self, connection):
        self.connection, self.number = connection, 0

    async def ask(self, method, **parameters):
        self.number += 1
        await self.connection.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(await self.connection.recv())
            if answer.get("id") == self.number:
                return answer.get("result", answer)

    async def value(self, expression):
        answer = await self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            return answer["exceptionDetails"].get("exception", {}).get("description", "an exception")
        return answer["result"].get("value")


async def page_of(port, process):
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=5) as answer:
                pages = [page for page in json.load(answer) if page["type"] == "page"]
            if pages:
                return pages[0]["webSocketDebuggerUrl"]
        except OSError:
            pass
        if process.poll() is not None:
            break
        await asyncio.sleep(0.1)
    raise RuntimeError("Chromium does not start: see target/chromium.log")


async def run(gateway, folder, report):
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        print("chromium: it is not here, so it is left out")
        return
    port = free_port()
    command = [
        path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--ignore-certificate-errors",
        f"--user-data-dir={folder}/chromium", f"--remote-debugging-port={port}", "--remote-allow-origins=*", "about:blank"]
    with program("chromium", command) as process:
        async with connect(await page_of(port, process), max_size=1 << 25, proxy=None, ping_interval=None) as connection:
            page = Page(connection)
            for name in ("websockets", "websockets-tls", "hypercorn-tls"):
                await cases(page, gateway, name, report)


async def cases(page, gateway, name, report):
    way = f"chromium-{name.removesuffix('-tls')}"
    before = len(gateway.records())
    await page.ask("Page.navigate", url=f"https://127.0.0.1:{gateway.tls_port}/page")
    while await page.value("document.title") != "WebSocket" or await page.value("document.readyState") != "complete":
        await asyncio.sleep(0.1)
    await page.value(f"const PATH = '/{name}/echo';{FUNCTIONS}")
    for case, (expression, expected) in CASES.items():
        seen = await page.value(expression)
        report.line(way, case, "passed" if seen == expected else "failed", "" if seen == expected else f"({seen})")
    # One for each case, 19 more for those at once; the last case has no node.
    opened = len(CASES) - 1 + 19
    for _ in range(100):
        records = [r for r in gateway.records()[before:] if r.get("upstream") == name]
        if len(records) >= opened - 3:  # The page holds some open.
            break
        await asyncio.sleep(0.1)
    over = {(record["protocol"], record["method"], record["status"]) for record in records}
    expected = {("HTTP/2", "GET", 200)}
    report.line(way, "all were on HTTP/2", "passed" if over == expected else "failed", f"{sorted(over)}")
