"""Compares Sigma with other proxies: python3 bench/compare --help. See ../README.md."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import churn
import machine
import report
from proxies import BENCH, CHANGED, TARGET, Proxy, free_port, versions
from scenarios import PEERS, PROXIES, SCENARIOS, STREAMS
from targets import ALLOCATED

LOAD = TARGET / "sigma-load"
WARM_SECONDS = 4  # of a process that compiles while it runs, again and again until it gets no faster
WARM_RUNS_MAX = 8
HTTP2_REQUESTS = 30_000  # in a second of measured time; h2load is told how many, not how long
DISTURBED = 0.15  # of a core; a run in which others took more is repeated, whatever it says
FAR = 2  # times the least distance of the cores; a run that begins or ends with more is repeated, whatever it says
NEAR_SECONDS_MAX = 30  # wait for the cores to be near
DISTURBED_RUNS_MAX = 6
DISTANCE_SAMPLES, DISTANCE_PAUSE_SECONDS = 200, 0.05
PATIENCE_SECONDS = 60  # with a run, beyond the time that it takes


def note(text):
    print(text, file=sys.stderr, flush=True)


def children_seconds():
    """Processor time of the load programs that have ended."""
    times = os.times()
    return times.children_user + times.children_system


class Comparison:
    def __init__(self, options):
        self.options = options
        self.proxy_core, self.load_core = machine.part_cores()
        self.nodes = (free_port(), free_port())
        self.least_distance = float("inf")
        known = (BENCH.parent / "docs/configuration.md").read_text()
        self.proxies, self.skipped = {}, {}
        for name, (template, environment, routes) in PROXIES.items():
            proxy = Proxy(name, template, self.proxy_core, self.nodes, environment, routes)
            unknown = [key for key in environment if f"`{key}`" not in known]
            if not proxy.program():
                self.skipped[name] = f"{proxy.product} is not installed"
            elif unknown:
                self.skipped[name] = f"Sigma knows no {unknown[0]}"
            else:
                self.proxies[name] = proxy

    def load(self, scenario, proxy, *arguments):
        """One run of the load program; what it says, as an object."""
        command = [LOAD, "--listen", f"{self.nodes[0]},{self.nodes[1]}", "--port", getattr(proxy, scenario.port),
                   "--host", "bench.example.com", *scenario.load, *scenario.overrides.get(proxy.name, [])]  # fmt: skip
        if scenario.mix:
            command += ["--mix", proxy.tls_port]
        for pid in [] if scenario.changes else proxy.pids():
            command += ["--pid", pid]
        command = [str(word) for word in [*command, *arguments]]
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=self.options.seconds * scenario.longer + self.options.warmup + PATIENCE_SECONDS)  # fmt: skip
        if result.returncode != 0:
            raise RuntimeError(f"{proxy.name}: {result.stderr.strip()}")
        figures = json.loads(result.stdout)
        if not figures["requests"]:
            raise RuntimeError(f"{proxy.name}: no request was answered within {figures['seconds']:.1f} s: {figures['errors']}")
        if not scenario.changes and figures["requestsPerSecond"] > 1000 and not figures["proxy"]["busy"]:
            raise RuntimeError(f"{proxy.name}: took no processor time, so another program answered on its port")
        return figures

    def h2load(self, scenario, proxy, requests):
        pids = proxy.pids()
        nodes = subprocess.Popen([LOAD, "--listen", f"{self.nodes[0]},{self.nodes[1]}", *scenario.nodes], stdout=subprocess.PIPE)
        requests = int(requests * scenario.h2_parts)
        call = ["-d", self.call_body(), "-H", "content-type: application/grpc", "-H", "te: trailers"] if scenario.nodes else []
        try:
            nodes.stdout.readline()
            before, begun = machine.processor_seconds(pids), time.monotonic()
            output = subprocess.run(
                ["h2load", "-n", str(requests), "-t", "1", *scenario.h2load, *call, "-H", ":authority: bench.example.com",
                 f"http://127.0.0.1:{proxy.h2_port}/api/items/42"], capture_output=True, text=True, check=True).stdout  # fmt: skip
            seconds, after = time.monotonic() - begun, machine.processor_seconds(pids)
        finally:
            nodes.terminate()
            nodes.wait()
        good = re.search(r"status codes: (\d+) 2xx", output)
        user, kernel = ((a - b) * 1e6 / requests for a, b in zip(after, before))
        return {
            "seconds": seconds, "requests": requests, "requestsPerSecond": requests / seconds,
            "bytesIn": 0, "bytesOut": 0, "reconnects": 0, "errors": {"response": requests - int(good.group(1) if good else 0)},
            "proxy": {"userMicros": user, "kernelMicros": kernel, "busy": (user + kernel) * requests / 1e6 / seconds,
                      "residentBytes": machine.resident_bytes(pids)},
        }  # fmt: skip

    def call_body(self):
        """A message of gRPC with 100 bytes."""
        file = TARGET / "call.bin"
        file.write_bytes(b"\0\0\0\0\x64" + b"x" * 100)
        return file

    def warm_up(self, scenario, proxy, rate=()):
        """Programs that compile while they run are measured warm; what is on disk, in pools and in caches is so for all."""
        if scenario.key in proxy.warm:
            return
        seconds = scenario.warmer * (WARM_SECONDS if not proxy.warm else WARM_SECONDS / 2) if proxy.product == "sigma" else 0.5
        few = ["--connections", "64", "--active", "64"] if scenario.fresh else []
        least, in_vain = float("inf"), 0
        for _ in range(WARM_RUNS_MAX if proxy.product == "sigma" and not self.options.trial else 1):
            if scenario.h2load:
                figures = self.h2load(scenario, proxy, int(HTTP2_REQUESTS * seconds))
            else:
                figures = self.load(scenario, proxy, "--warmup", "0", "--seconds", seconds, *few, *rate)
            micros = figures["proxy"]["userMicros"] + figures["proxy"]["kernelMicros"]
            # One run may be slower for what others do meanwhile, or for code that is compiled again.
            in_vain = in_vain + 1 if micros > 0.95 * least else 0
            if in_vain == 2:
                break
            least = min(least, micros)
        proxy.warm.add(scenario.key)

    def distance(self):
        """Nanoseconds that a cache line takes from core to core and back."""
        command = [LOAD, "--distance", f"{self.proxy_core},{self.load_core}"]
        nanos = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE_SECONDS).stdout)["nanos"]
        self.least_distance = min(self.least_distance, nanos)
        return nanos

    def find_least_distance(self):
        """Looks for some twenty seconds; a lesser one that is seen later takes its place."""
        for _ in range(1 if self.options.trial else DISTANCE_SAMPLES):
            self.distance()
            time.sleep(DISTANCE_PAUSE_SECONDS)

    def distance_when_near(self):
        end = time.monotonic() + (0 if self.options.trial else NEAR_SECONDS_MAX)
        while (nanos := self.distance()) > FAR * self.least_distance and time.monotonic() < end:
            time.sleep(DISTANCE_PAUSE_SECONDS)
        return nanos

    def measure(self, scenario, proxy, rate):
        """One run that was not disturbed, or the last of several."""
        for repeated in range(1 if self.options.trial else DISTURBED_RUNS_MAX):
            distance = self.distance_when_near()
            if scenario.h2load:
                result = self.h2load(scenario, proxy, int(HTTP2_REQUESTS * self.options.seconds))
            else:
                result = self.watched(scenario, proxy, rate)
            distance = max(distance, self.distance())
            result |= {"coreDistanceNanos": distance, "repeated": repeated, "isDisturbed": True}
            others = result["proxy"].get("others", 0)
            if others >= DISTURBED:
                note(f"  {proxy.name}: others took {others:.0%} of a core")
            elif distance > FAR * self.least_distance:
                note(f"  {proxy.name}: the cores were {distance:.0f} ns apart, and {self.least_distance:.0f} ns before")
            else:
                result["isDisturbed"] = False
                break
        return result

    def watched(self, scenario, proxy, rate):
        """One run, and the part of either core that went to neither the proxy nor the load."""
        pids = proxy.pids()
        before = machine.resident_bytes(pids)
        begun, cores, own = time.monotonic(), self.cores(), sum(machine.processor_seconds(pids)) + children_seconds()
        with churn.changes(proxy, scenario.changes) as changed:
            result = self.load(scenario, proxy, "--warmup", self.options.warmup,
                               "--seconds", self.options.seconds * scenario.longer, *rate)  # fmt: skip
        if changed:
            return churn.figures(result, changed, proxy, before)
        used = self.cores() - cores - (sum(machine.processor_seconds(pids)) + children_seconds() - own)
        result["proxy"] |= {"residentBefore": before, "others": max(0, used / (time.monotonic() - begun))}
        return result

    def cores(self):
        return machine.busy(self.proxy_core) + machine.busy(self.load_core)

    def run(self, scenario, results):
        """All rounds of a scenario, A B C A B C."""
        names = [name for name in scenario.proxies if name in self.proxies]
        for name in (name for name in scenario.proxies if name in self.skipped):
            note(f"  {name}: skipped, {self.skipped[name]}")
        if not names or (scenario.h2load and not shutil.which("h2load")):
            note("  skipped")
            return None
        rate = []
        if scenario.rate_of_slowest:
            found = results.get(scenario.rate_from, {}).get("proxies", {})
            closed = [found[n]["requestsPerSecond"] for n in (name.removesuffix(CHANGED) for name in names) if n in found]
            if not closed:
                note(f"  skipped, it needs scenario {scenario.rate_from}")
                return None
            rate = ["--rate", int(scenario.rate_of_slowest * min(closed))]
        rounds = {name: [] for name in names}
        try:
            for name in names:
                if scenario.fresh and self.proxies[name].process:
                    self.proxies[name].stop()
                if not self.proxies[name].process:
                    self.proxies[name].start()
                self.warm_up(scenario, self.proxies[name], rate)
            for _ in range(self.options.rounds * scenario.more):
                for name in names:
                    figures = self.measure(scenario, self.proxies[name], rate)
                    rounds[name].append(figures)
                    note(f"  {report.line(scenario, name, figures)}")
        except (RuntimeError, subprocess.SubprocessError) as e:
            note(f"  failed: {e}")
            return None
        finally:
            for name in names:
                if scenario.fresh or name not in (*PEERS, *STREAMS):
                    self.proxies[name].stop()
        return report.summary(scenario, rounds, rate)

    def allocation(self, scenario):
        """Bytes that Sigma allocates for a request: what a long run allocates more than a short one."""
        proxy = self.proxies["sigma"]
        if not proxy.process:
            proxy.start()
        self.warm_up(scenario, proxy)
        figures = []
        for seconds in (1, 5):
            before = proxy.allocated_bytes()
            if scenario.h2load:
                requests = self.h2load(scenario, proxy, int(HTTP2_REQUESTS * seconds))["requests"]
            else:
                requests = self.load(scenario, proxy, "--warmup", "0", "--seconds", seconds)["requests"]
            figures.append((requests, proxy.allocated_bytes() - before))
        (few, little), (many, much) = figures
        return round((much - little) / (many - few), 1)

    def direct(self):
        """What clients and nodes do without a proxy between them: the most that the load side could ask of one."""
        command = [LOAD, "--listen", self.nodes[0], "--port", self.nodes[0], "--connections", "64", "--path", "/api/items/42",
                   "--warmup", "0.5", "--seconds", "2"]  # fmt: skip
        return json.loads(subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout)

    def stop(self):
        for proxy in self.proxies.values():
            if proxy.process:
                proxy.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", help="keys of scenarios; all when none is named: " + " ".join(s.key for s in SCENARIOS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3, help="measured time of a run")
    parser.add_argument("--warmup", type=float, default=1, help="time before it")
    parser.add_argument("--proxies", help="only these, separated by commas")
    parser.add_argument("--trial", action="store_true", help="to see whether it works: hardly warmed up, no run repeated; the figures say nothing")
    parser.add_argument("--docs", action="store_true", help="also write docs/performance.*")
    options = parser.parse_args()
    wrong = set(options.scenarios) - {s.key for s in SCENARIOS}
    if wrong:
        parser.error(f"no such scenario: {' '.join(sorted(wrong))}")
    comparison = Comparison(options)
    if options.proxies:
        wanted = options.proxies.split(",")
        comparison.proxies = {name: proxy for name, proxy in comparison.proxies.items() if name in wanted}
    comparison.find_least_distance()
    result = {
        "machine": machine.describe() | {"coreDistanceNanos": comparison.least_distance},
        "versions": versions(), "direct": comparison.direct(),
        "settings": {"rounds": options.rounds, "seconds": options.seconds, "warmup": options.warmup}, "scenarios": {},
    }  # fmt: skip
    note(f"load without a proxy: {result['direct']['requestsPerSecond']:,.0f} requests/s")
    begun = time.monotonic()
    try:
        for scenario in SCENARIOS:
            if options.scenarios and scenario.key not in options.scenarios:
                continue
            note(f"{scenario.key}: {scenario.title}  ({time.monotonic() - begun:.0f} s)")
            summary = comparison.run(scenario, result["scenarios"])
            if summary:
                result["scenarios"][scenario.key] = summary
            if summary and scenario.key in ALLOCATED and "sigma" in comparison.proxies:
                allocated = comparison.allocation(scenario)
                result.setdefault("allocatedBytesPerRequest", {})[scenario.key] = allocated
                note(f"  sigma allocates {allocated} bytes a request")
            result["machine"]["coreDistanceNanos"] = comparison.least_distance
            report.write(result, TARGET / "results", BENCH.parent / "docs" if options.docs else None)
    except KeyboardInterrupt:
        note("interrupted: what was measured so far is kept")
    finally:
        comparison.stop()
    print(report.tables(result))


main()
