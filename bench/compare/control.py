"""Measures the control plane: python3 bench/compare/control.py --help. See ../README.md."""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import machine
import report
from proxies import BENCH, TARGET

BEGIN, END = "<!-- control plane: begin -->", "<!-- control plane: end -->"
LOAD = TARGET / "sigma-load"

# Scenario, figure, what it is, bound, unit.
BOUNDS = [
    ("ten-gateways", "commitToAllAcknowledged/p50", "commit → all acknowledged, 10 gateways, 10,000 routes: p50", 30, "ms"),
    ("ten-gateways", "commitToAllAcknowledged/p99", "the same: p99", 100, "ms"),
    ("many-routes", "commitToAllAcknowledged/p99", "the same, 100 gateways, 100,000 routes: p99", 500, "ms"),
    ("under-traffic", "requestErrors", "20 writes/s, 10,000 routes, under traffic: failed requests", 0, ""),
    ("under-traffic", "writeErrors", "the same: failed writes", 0, ""),
    ("under-traffic", "commitToAllAcknowledged/max", "the same: longest lag of a gateway", 1_000, "ms"),
    ("under-traffic", "at2000/proxyP99Ratio", "at 2,000 requests/s: p99 of the time in the gateway ÷ that without writes", 1.2, ""),
    ("under-traffic", "at2000/proxyP99RatioToUnheard", "the same ÷ that during writes that the gateway does not receive", 1.2, ""),
    ("under-traffic", "at4000/proxyP99Ratio", "at 4,000 requests/s: p99 of the time in the gateway ÷ that without writes", 1.2, ""),
    ("under-traffic", "at4000/proxyP99RatioToUnheard", "the same ÷ that during writes that the gateway does not receive", 1.2, ""),
    ("many-routes", "fullStateMillis", "100,000 routes to a new gateway, from its connection until it serves", 5_000, "ms"),
    ("many-routes", "newGatewayMillis", "the same, from the start of its process, which has to enrol", 5_000, "ms"),
    ("many-routes", "controlPlaneHeapMaxMiB", "largest heap that the control plane of it was given", 1_024, "MiB"),
    ("many-routes", "listPage/p99", "page of 100 among 100,000: p99", 20, "ms"),
    ("many-routes", "listPageBesideWrites/p99", "the same, during 20 writes/s: p99", 20, "ms"),
    ("ten-gateways", "prepareRatio", "prepare and commit ÷ plain commit, 10 gateways", 2, ""),
]  # fmt: skip

TIMES = {
    "commitToAllAcknowledged": "commit → all acknowledged",
    "requestToCommit": "request → commit",
    "requestToAnswer": "request → answer, with `wait=all`",
    "prepareAndCommit": "request → commit, gateways vote",
    "plainCommit": "request → commit, no votes",
    "listPage": "page of 100, one after the other",
    "listPageBesideWrites": "page of 100, during 20 writes/s",
    "listPageByCommonName": "page of 100, 1,000 names fit",
    "listPageByRareName": "search for one name among all",
}


def value(result, scenario, path):
    found = result.get(scenario, {})
    for word in path.split("/"):
        found = found.get(word) if isinstance(found, dict) else None
    return found


def single(figures, prefix=""):
    """Yields what is a figure by itself, with the way to it."""
    for name, f in figures.items():
        if isinstance(f, (int, float)):
            yield prefix + name, f
        elif isinstance(f, dict) and name not in TIMES:
            yield from single(f, f"{prefix}{name}/")


def tables(result):
    m, effort = result["machine"], result["effort"]
    out = [
        f"Measured on {m['day']}: {m['cores']} cores of {m['processor']}, {m['memoryGiB']} GiB, Linux {m['kernel']}, with "
        f"PostgreSQL, control planes, gateways and clients on it. {effort['rounds']} writes one after the other; "
        f"{value(result, 'under-traffic', 'seconds') or effort['trafficSeconds']} s of traffic with writes.", "",
        "| figure | value | at most | reached |", "| --- | --- | --- | --- |",
    ]  # fmt: skip
    for scenario, path, title, bound, unit in BOUNDS:
        found = value(result, scenario, path)
        shown = "" if found is None else f"{found:,g} {unit}"
        reached = "not measured" if found is None else "yes" if found <= bound else "no"
        out.append(re.sub(" +", " ", f"| {title} | {shown} | {bound:,g} {unit} | {reached} |"))
    out += ["", "| scenario | what | times | p50 ms | p99 ms | max ms |", "| --- | --- | --- | --- | --- | --- |"]
    for scenario, figures in result.items():
        for name, f in figures.items() if isinstance(figures, dict) else ():
            if name in TIMES:
                out.append(f"| {scenario} | {TIMES[name]} | {f['count']:,} | {f['p50']:g} | {f['p99']:g} | {f['max']:g} |")
    out += ["", "| scenario | figure | value |", "| --- | --- | --- |"]
    for scenario, figures in result.items():
        if scenario not in ("machine", "effort") and isinstance(figures, dict):
            out += [f"| {scenario} | {name} | {f:,g} |" for name, f in single(figures)]
    return "\n".join(out) + "\n"


def write(result, docs):
    text = json.dumps(result, indent=2, ensure_ascii=False) + "\n"
    folder = TARGET / "results"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "control.json").write_text(text)
    if docs:
        (BENCH.parent / "docs/performance-control.json").write_text(text)
        report.replace_section(BENCH.parent / "docs/performance.md", BEGIN, END, tables(result))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", help="ten-gateways, many-routes, under-traffic; all when none is named")
    parser.add_argument("--rounds", type=int, default=500, help="writes that are measured one after the other")
    parser.add_argument("--seconds", type=int, default=300, help="time of traffic with writes; 30 to try")
    parser.add_argument("--docs", action="store_true", help="also write docs/performance.md and docs/performance-control.json")
    parser.add_argument("--of", type=Path, help="figures that were measured before, instead of measuring")
    options = parser.parse_args()
    known = TARGET / "results/control.json"
    result = json.loads(known.read_text()) if known.exists() and (options.scenarios or options.of) else {}
    if options.of:
        measured = json.loads(options.of.read_text())
    else:
        jars = f"{TARGET}/{next(TARGET.glob('sigma-bench-*.jar')).name}:{TARGET}/lib/*"
        java = Path(os.environ["JAVA_HOME"], "bin/java") if "JAVA_HOME" in os.environ else "java"
        logs = TARGET / "process-logs"
        logs.mkdir(parents=True, exist_ok=True)
        command = [java, "-Xmx600m", "--enable-native-access=ALL-UNNAMED", f"-Dsigma.home={BENCH.parent}/deploy/cli/target/sigma",
                   f"-Dsigma.logs={logs}", "-cp", jars, "io.sigma.bench.control.ControlBench",
                   options.rounds, options.seconds, LOAD, *options.scenarios]  # fmt: skip
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=True)
        measured = json.loads(done.stdout.splitlines()[-1])
    result |= {"machine": machine.describe()} | measured
    write(result, options.docs)
    print(tables(result))


if __name__ == "__main__":
    sys.exit(main())
