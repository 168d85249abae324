"""Gives a proxy other configurations while it is loaded."""

import http.client
import threading
import time
from contextlib import contextmanager

import machine

SERVED_SECONDS_MAX = 10  # until the last of them is served
first_free = 1  # number of the next one: each is another than all before


def serves(proxy, number):
    connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=5)
    try:
        connection.request("GET", f"/orders-{number}/1", headers={"Host": "bench.example.com"})
        # Nodes are not there any more: that it looks for one is enough.
        return connection.getresponse().status != 404
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


@contextmanager
def changes(proxy, a_second):
    """Changes the configuration so often; what was done is in the dictionary, which is empty when there is nothing to do."""
    done = {}
    if not a_second:
        yield done
        return
    over = threading.Event()
    done |= {"changes": 0, "begun": time.monotonic(), "core": machine.busy(proxy.core)}

    def change():
        global first_free
        while not over.wait(max(0, done["begun"] + done["changes"] / a_second - time.monotonic())):
            try:
                proxy.change(first_free)
            except OSError as e:
                done["failed"] = str(e)
                return
            first_free += 1
            done["changes"] += 1

    thread = threading.Thread(target=change, daemon=True)
    thread.start()
    try:
        yield done
    finally:
        over.set()
        thread.join(60)
        done["seconds"] = time.monotonic() - done["begun"]
        done["coreSeconds"] = machine.busy(proxy.core) - done["core"]
    last = first_free - 1
    deadline = time.monotonic() + SERVED_SECONDS_MAX
    while not serves(proxy, last):
        if time.monotonic() > deadline:
            raise RuntimeError(f"{proxy.name}: configuration {last} was not served within {SERVED_SECONDS_MAX} s: {done.get('failed', '')}")
        time.sleep(0.05)


def figures(result, done, proxy, before):
    """What the load program said, with the processor time of the whole core: processes come and go."""
    micros = done["coreSeconds"] * 1e6 / (result["requestsPerSecond"] * done["seconds"])
    result["proxy"] |= {
        "userMicros": micros, "kernelMicros": 0, "busy": done["coreSeconds"] / done["seconds"], "others": 0,
        "residentBytes": machine.resident_bytes(proxy.pids()), "residentBefore": before,
        "changesPerSecond": round(done["changes"] / done["seconds"], 2),
    }  # fmt: skip
    return result
