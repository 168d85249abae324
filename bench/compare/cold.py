"""Measures Sigma cold and at rest: python3 bench/compare/cold.py --help. See ../README.md."""

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import machine
from proxies import TARGET, Proxy, free_port

LOAD = TARGET / "sigma-load"
WAIT_SECONDS = 60  # for a first answer
POLL_SECONDS = 0.005
NO_CACHE = "-XX:AOTMode=off"
# Template below ../proxies, and environment of Sigma. The first one is compared with each of the others.
COLD = {
    "sigma": ("sigma/tuned.json", {}),
    "sigma-no-cache-no-warm-up": ("sigma/tuned.json", {"SIGMA_JAVA_OPTS": NO_CACHE, "SIGMA_WARM_UP_MILLIS": "0"}),
    "sigma-no-warm-up": ("sigma/tuned.json", {"SIGMA_WARM_UP_MILLIS": "0"}),
    "nginx": ("nginx/tuned.conf", {}),
    "haproxy": ("haproxy/tuned.cfg", {}),
}
# Template, and number of routes.
REST = {
    "sigma-10-routes": ("sigma/tuned.json", 10),
    "sigma-10000-routes": ("sigma/tuned.json", 10_000),
    "nginx": ("nginx/tuned.conf", 0),
    "haproxy": ("haproxy/tuned.cfg", 0),
}

# Scenario, what it is, how it is found in the summary, the most that is asked for, the goal.
TARGETS = [
    ("cold", "p99 of the first 2 s at the rate, ms", lambda s: s["sigma"]["window1P99Micros"]["median"] / 1000, 10, 3),
    ("cold", "first 200 ÷ the same without cache and warm-up",
     lambda s: s["sigma-no-cache-no-warm-up"]["firstAnswerMillis"]["sigma ÷ it"], 0.5, 0.5),
    ("cold", "first 200, ms", lambda s: s["sigma"]["firstAnswerMillis"]["median"], 900, 500),
    ("rest", "memory with ten routes, MiB", lambda s: s["sigma-10-routes"]["residentMiB"]["median"], 120, 80),
    ("rest", "memory with 10,000 routes, MiB", lambda s: s["sigma-10000-routes"]["residentMiB"]["median"], 170, 120),
]  # fmt: skip


def note(text):
    print(text, file=sys.stderr, flush=True)


def is_answered(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/api/items/42", headers={"Host": "bench.example.com"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def await_answer(proxy):
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_answered(proxy.port):
        if proxy.process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{proxy.name} does not answer: {(proxy.folder / 'err').read_text()[-2000:]}")
        time.sleep(POLL_SECONDS)


def status(pid, key):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1])
    return 0


def proportional_bytes(pid):
    """Memory in which pages of several processes count in parts."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def counters(pid):
    """What a JVM says it compiled and loaded; empty for other programs."""
    wanted = {"sun.ci.totalCompiles": "compiled", "java.cls.loadedClasses": "classesLoaded", "java.cls.sharedLoadedClasses": "classesOfCache"}
    found = subprocess.run(["jcmd", str(pid), "PerfCounter.print"], capture_output=True, text=True, timeout=30).stdout
    pairs = (line.partition("=") for line in found.splitlines())
    return {wanted[key]: int(value) for key, _, value in pairs if key in wanted}


class Cold:
    def __init__(self, options):
        self.options = options
        self.proxy_core, self.load_core = machine.part_cores()
        self.nodes = (free_port(), free_port())

    def window(self, proxy):
        """Requests of some seconds at the rate, and what the proxy used for them."""
        command = [LOAD, "--listen", f"{free_port()},{free_port()}", "--port", proxy.port, "--host", "bench.example.com",
                   "--connections", "64", "--path", "/api/items/42", "--rate", self.options.rate,
                   "--warmup", "0", "--seconds", self.options.seconds]  # fmt: skip
        for pid in proxy.pids():
            command += ["--pid", pid]
        figures = json.loads(subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout)
        return {
            "p50Micros": figures["latencyMicros"]["p50"], "p99Micros": figures["latencyMicros"]["p99"],
            "userMicros": round(figures["proxy"]["userMicros"], 1), "kernelMicros": round(figures["proxy"]["kernelMicros"], 1),
            "requests": figures["requests"], "errors": sum(figures["errors"].values()),
        }  # fmt: skip

    def start(self, name, template, environment, routes=0):
        """Starts a proxy; the milliseconds until its first answer, and the processor time until then."""
        proxy = Proxy(name, template, self.proxy_core, self.nodes, environment, routes)
        begun = time.monotonic()
        proxy.launch()
        if routes:
            proxy.await_open()
        else:
            await_answer(proxy)
        millis = (time.monotonic() - begun) * 1000
        user, kernel = machine.processor_seconds(proxy.pids())
        return proxy, {"firstAnswerMillis": round(millis), "startUserMillis": round(user * 1000), "startKernelMillis": round(kernel * 1000)}

    def cold(self, name, template, environment):
        proxy, figures = self.start(name, template, environment)
        try:
            figures["windows"] = [self.window(proxy) for _ in range(self.options.windows)]
            if proxy.product == "sigma":
                figures |= counters(proxy.process.pid)
        finally:
            proxy.stop()
        return figures

    def rest(self, name, template, routes):
        proxy, figures = self.start(name, template, {}, routes)
        try:
            time.sleep(self.options.rest)
            pids = proxy.pids()
            figures |= {
                "residentMiB": round(machine.resident_bytes(pids) / 2**20, 1),
                "proportionalMiB": round(sum(map(proportional_bytes, pids)) / 2**20, 1),
                "threads": sum(status(pid, "Threads") for pid in pids),
            }
        finally:
            proxy.stop()
        return figures


def median(rounds, value):
    return round(statistics.median(value(figures) for figures in rounds), 3)


def summary(rounds, of):
    """Medians, and medians of the ratios to the first one that were taken within rounds."""
    first = next(iter(rounds))
    return {
        name: {key: {"median": median(of_it, value), **({} if name == first else {
            f"{first} ÷ it": round(statistics.median(value(a) / max(value(b), 1e-9) for a, b in zip(rounds[first], of_it)), 3)})}
            for key, value in of.items()}
        for name, of_it in rounds.items()
    }  # fmt: skip


def measure(title, cases, rounds, run):
    found = {name: [] for name in cases}
    for _ in range(rounds):
        for name, arguments in cases.items():
            found[name].append(run(name, *arguments))
            note(f"  {title} {name}: {json.dumps(found[name][-1])}")
    return found


def targets(result):
    """What was reached of what is asked for; a figure whose parts were not measured is left out."""
    found = []
    for scenario, title, value, least, goal in TARGETS:
        try:
            is_value = round(value(result[scenario]["summary"]), 3)
        except KeyError:
            continue
        reached = "goal" if is_value <= goal else "required" if is_value <= least else "no"
        found.append({"scenario": scenario, "title": title, "value": is_value, "required": least, "goal": goal, "reached": reached})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", default=["cold", "rest"], help="cold, rest; both when none is named")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rate", type=int, default=8000, help="requests a second")
    parser.add_argument("--seconds", type=float, default=2, help="of a window")
    parser.add_argument("--windows", type=int, default=5)
    parser.add_argument("--rest", type=float, default=45, help="seconds without a request before memory is looked at")
    parser.add_argument("--proxies", help="only these, separated by commas")
    options = parser.parse_args()
    cold = Cold(options)
    nodes = subprocess.Popen([LOAD, "--listen", ",".join(map(str, cold.nodes))], stdout=subprocess.PIPE)
    result = {"machine": machine.describe(), "others": []}
    try:
        nodes.stdout.readline()
        wanted = options.proxies.split(",") if options.proxies else None
        for key, cases, run, of in (
            ("cold", COLD, cold.cold, {
                "firstAnswerMillis": lambda f: f["firstAnswerMillis"],
                "startMillis": lambda f: f["startUserMillis"] + f["startKernelMillis"],
                **{f"window{i + 1}P99Micros": lambda f, i=i: f["windows"][i]["p99Micros"] for i in range(options.windows)},
                **{f"window{i + 1}Micros": lambda f, i=i: f["windows"][i]["userMicros"] + f["windows"][i]["kernelMicros"] for i in range(options.windows)},
            }),
            ("rest", REST, cold.rest, {key: lambda f, key=key: f[key] for key in ("residentMiB", "proportionalMiB", "threads")}),
        ):  # fmt: skip
            chosen = {name: case for name, case in cases.items()
                      if (not wanted or name in wanted) and Proxy(name, case[0], 0, (0, 0)).program()}  # fmt: skip
            if key in options.scenarios and chosen:
                found = measure(key, chosen, options.rounds, run)
                result["others"].append({"scenario": key, "loadAverage": round(os.getloadavg()[0], 2)})
                result[key] = {"summary": summary(found, of), "rounds": found}
    finally:
        nodes.terminate()
        nodes.wait()
    result["targets"] = targets(result)
    folder = TARGET / "results"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cold.json").write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    print(json.dumps({key: result[key]["summary"] for key in ("cold", "rest") if key in result}, indent=2, ensure_ascii=False))
    print("| scenario | figure | value | required | goal | reached |\n| --- | --- | --- | --- | --- | --- |")
    for t in result["targets"]:
        print("| {scenario} | {title} | {value:g} | {required:g} | {goal:g} | {reached} |".format(**t))
    print("Load of the machine in the last minute of each: " + ", ".join(f"{s['scenario']} {s['loadAverage']}" for s in result["others"]))


main()
