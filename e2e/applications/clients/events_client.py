"""Reads events as they come, and a stream that rests for longer than a minute. Argument: URL."""

import sys
import time

import httpx

url = sys.argv[1]
with httpx.Client(http2=True, timeout=100) as client:
    with client.stream("GET", f"{url}/events?rest=75", headers={"Accept": "text/event-stream"}) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        delays = []
        event = ""
        rested = False
        for line in response.iter_lines():
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line.startswith("data: ") and event == "tick":
                delays.append(time.time() - float(line.removeprefix("data: ")))
            rested |= event == "rested"
        assert len(delays) == 5, delays
        assert max(delays) < 2, delays
        assert rested, "the stream ended in its rest"
        print(f"httpx on {response.http_version}: 5 events, the latest after {max(delays) * 1000:.0f} ms, a rest of 75 s")
