"""Medians, ratios, and the files that tell them: performance.json, performance.svg, and the tables of docs/performance.md."""

import json
import statistics
import textwrap
from pathlib import Path

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
COLORS = {"sigma": ("#1d4ed8", "#93b4f5"), "nginx": ("#15803d", "#8fd0a6"), "haproxy": ("#b45309", "#ecc08a"), "envoy": ("#7e22ce", "#c9a4ec")}
NAMES = {"sigma": "Sigma", "nginx": "nginx", "haproxy": "HAProxy", "envoy": "Envoy"}


def units(scenario, figures):
    """What processor time is divided by: requests, or mebibytes of bodies."""
    if scenario.per == "MiB":
        return max(1, (figures["bytesIn"] if "--response" in scenario.load else figures["bytesOut"]) / 2**20)
    return max(1, figures["requests"])


def micros(scenario, figures):
    scale = figures["requests"] / units(scenario, figures)
    return figures["proxy"]["userMicros"] * scale, figures["proxy"]["kernelMicros"] * scale


def line(scenario, name, figures):
    user, kernel = micros(scenario, figures)
    errors = sum(figures["errors"].values())
    latency = figures.get("latencyMicros", {})
    return (
        f"{name:20} {user + kernel:8.2f} µs/{scenario.per} ({user:.2f} user + {kernel:.2f} kernel)"
        f" {figures['requestsPerSecond']:9,.0f}/s  p99 {latency.get('p99', 0):9,.0f} µs"
        f"  core {figures['proxy']['busy'] * 100:3.0f} %  RSS {figures['proxy']['residentBytes'] / 2**20:5.0f} MiB"
        + (f"  ERRORS {figures['errors']}" if errors else "")
    )


def quotients(pairs, value):
    """A figure of one proxy ÷ that of another, for each round by itself: a machine that is slow for a while is so for both."""
    return [round(value(one) / value(other), 3) for one, other in pairs if value(other)]


def summary(scenario, rounds, rate):
    proxies = {}
    for name, runs in rounds.items():
        def median(value, runs=runs):
            return round(statistics.median(value(run) for run in runs), 3)

        figures = {
            "micros": median(lambda r: sum(micros(scenario, r))),
            "userMicros": median(lambda r: micros(scenario, r)[0]),
            "kernelMicros": median(lambda r: micros(scenario, r)[1]),
            "requestsPerSecond": median(lambda r: r["requestsPerSecond"]),
            "busy": median(lambda r: r["proxy"]["busy"]),
            "residentMiB": median(lambda r: r["proxy"]["residentBytes"] / 2**20),
            "errors": sum(sum(run["errors"].values()) for run in runs),
            "microsOfRounds": [round(sum(micros(scenario, run)), 3) for run in runs],
            "coreDistanceNanosOfRounds": [round(run["coreDistanceNanos"]) for run in runs],
        }
        if "load" in runs[0]:
            figures["loadBusy"] = median(lambda r: r["load"]["busy"])
            figures["others"] = median(lambda r: r["proxy"]["others"])
        if "latencyMicros" in runs[0]:
            figures["latencyMicros"] = {q: median(lambda r, q=q: r["latencyMicros"][q]) for q in ("p50", "p99", "p999")}
        if "residentBefore" in runs[0]["proxy"]:
            figures["residentGrowthMiB"] = round(
                max(run["proxy"]["residentBytes"] for run in runs) / 2**20 - runs[0]["proxy"]["residentBefore"] / 2**20, 1)  # fmt: skip
        proxies[name] = figures
    first = next(iter(proxies))
    ratios = {}
    for name in proxies:
        if name != first:
            pairs = list(zip(rounds[first], rounds[name]))
            of_rounds = {"micros": quotients(pairs, lambda r: sum(micros(scenario, r))),
                         "requestsPerSecond": quotients(pairs, lambda r: r["requestsPerSecond"])}  # fmt: skip
            if "latencyMicros" in rounds[name][0]:
                of_rounds["p99"] = quotients(pairs, lambda r: r["latencyMicros"]["p99"])
            ratios[name] = {key: round(statistics.median(found), 3) for key, found in of_rounds.items() if found}
            ratios[name]["microsOfRounds"] = of_rounds["micros"]
    return {"title": scenario.title, "per": scenario.per, "rate": rate[1] if rate else 0, "of": first, "proxies": proxies, "ratios": ratios}


# What is compared, how it is found, whether less is better, the least that is asked for, the goal.
TARGETS = [
    ("a", "processor time per request ÷ nginx", ("ratio", "nginx", "micros"), True, 0.85, 0.72),
    ("a", "processor time per request ÷ HAProxy", ("ratio", "haproxy", "micros"), True, 0.85, 0.72),
    ("a", "processor time per request ÷ Envoy", ("ratio", "envoy", "micros"), True, 0.35, 0.28),
    ("b", "requests per processor second ÷ nginx", ("inverse", "nginx", "micros"), False, 1.2, 1.5),
    ("c", "throughput ÷ nginx without keep-alive to nodes", ("ratio", "nginx-defaults", "requestsPerSecond"), False, 4, 5),
    ("c", "throughput ÷ nginx with keepalive 16", ("ratio", "nginx-keepalive-16", "requestsPerSecond"), False, 1.3, 1.5),
    ("c", "throughput ÷ HAProxy with its defaults", ("ratio", "haproxy-defaults", "requestsPerSecond"), False, 1.2, 1.4),
    ("d", "growth of memory with 10,000 connections, MiB", ("own", "sigma", "residentGrowthMiB"), True, 150, 80),
    ("d", "errors", ("own", "sigma", "errors"), True, 0, 0),
    ("e-down", "bytes per processor second ÷ nginx, responses", ("inverse", "nginx", "micros"), False, 1.0, 1.2),
    ("e-up", "bytes per processor second ÷ nginx, uploads", ("inverse", "nginx", "micros"), False, 1.0, 1.2),
    ("f", "requests per processor second ÷ nginx", ("inverse", "nginx", "micros"), False, 0.9, 1.1),
    ("g", "requests per processor second ÷ nginx, connections that stay", ("inverse", "nginx", "micros"), False, 0.9, 1.1),
    ("g-resumed", "requests per processor second ÷ nginx, resumed", ("inverse", "nginx", "micros"), False, 0.9, 1.1),
    ("g-full", "requests per processor second ÷ nginx, full handshakes", ("inverse", "nginx", "micros"), False, 0.9, 1.1),
    ("h", "time per request with 100,000 routes ÷ with 10", ("ratio", "sigma-10-routes", "micros"), True, 1.05, 1.02),
    ("i", "time per request with all plugins ÷ without", ("ratio", "sigma", "micros"), True, 1.25, 1.1),
    ("rate-80", "p99 ÷ nginx", ("ratio", "nginx", "p99"), True, 1.5, 1.0),
    *((f"tcp-{n}", f"round trips per processor second ÷ {title}, {n} connections", ("inverse", name, "micros"), False, least, goal)
      for n in (20, 40, 200, 220)
      for name, title, least, goal in (("envoy-tcp", "Envoy", 1.5, 3), ("haproxy-tcp", "HAProxy", 1.1, 1.8), ("nginx-stream", "nginx stream", 1.1, 1.8))),
    ("tcp-rate-50", "processor time per round trip ÷ HAProxy, 40 connections at a fixed rate", ("ratio", "haproxy-tcp", "micros"), True, 1.0, 0.8),
    ("tcp-rate-50", "p99 ÷ HAProxy", ("ratio", "haproxy-tcp", "p99"), True, 1.0, 0.8),
    ("bolt", "frames per processor second ÷ Envoy tcp_proxy on the same bytes", ("inverse", "envoy-tcp", "micros"), False, 1.0, 2),
    ("tls-pass", "connections per processor second ÷ HAProxy, TLS passed through", ("inverse", "haproxy-tls-pass", "micros"), False, 1.0, 1.3),
    ("tcp-bulk-1", "bytes per processor second ÷ HAProxy, 1 connection of TCP", ("inverse", "haproxy-tcp", "micros"), False, 1.0, 1.3),
    ("tcp-bulk-64", "bytes per processor second ÷ HAProxy, 64 connections of TCP", ("inverse", "haproxy-tcp", "micros"), False, 1.0, 1.3),
    ("tcp-idle", "growth of memory with 10,000 connections of TCP, MiB", ("own", "sigma-tcp", "residentGrowthMiB"), True, 100, 40),
    ("http2", "processor time per request ÷ nginx", ("ratio", "nginx", "micros"), True, 1.3, 1.0),
]


def ordered(scenarios):
    """Fixed rates come first: most gateways run far below their limit."""
    return sorted(scenarios.items(), key=lambda item: not item[1]["rate"])


def targets(result):
    found = []
    places = [key for key, _ in ordered(result["scenarios"])]
    wanted = [target for target in TARGETS if target[0] in places]
    for key, title, (kind, other, figure), less, least, goal in sorted(wanted, key=lambda target: places.index(target[0])):
        scenario = result["scenarios"][key]
        if kind == "own":
            value = scenario["proxies"].get(other, {}).get(figure)
        else:
            value = scenario["ratios"].get(other, {}).get(figure)
            value = 1 / value if value and kind == "inverse" else value
        if value is None:
            continue
        reached = [bound for bound, limit in (("least", least), ("goal", goal)) if (value <= limit if less else value >= limit)]
        found.append({"scenario": key, "title": title, "value": round(value, 3), "least": least, "goal": goal,
                      "reached": reached[-1] if reached else "no"})  # fmt: skip
    if "allocatedBytesPerRequest" in result:
        value = result["allocatedBytesPerRequest"]
        found.append({"scenario": "a", "title": "bytes allocated per request", "value": value, "least": 64, "goal": 0,
                      "reached": "goal" if value <= 0 else "least" if value <= 64 else "no"})  # fmt: skip
    return found


def chart(result):
    """Processor time of each proxy ÷ that of nginx, the user's part dark, the kernel's light. Less is better."""
    groups = [(key, s) for key, s in ordered(result["scenarios"]) if "nginx" in s["proxies"] and "sigma" in s["proxies"]]
    left, scale, bar, gap = 330, 130, 13, 16
    height = 60 + sum(len([n for n in NAMES if n in s["proxies"]]) * bar + gap for _, s in groups)
    width = left + scale * 4 + 90
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>',
           '<text x="12" y="20" font-size="13" font-weight="bold">Processor time, as a multiple of nginx’s; less is better</text>',
           '<text x="12" y="36" fill="#555">dark: user, light: kernel; medians of interleaved rounds</text>']  # fmt: skip
    y = 52
    for key, scenario in groups:
        nginx = scenario["proxies"]["nginx"]["micros"]
        out.append(f'<text x="12" y="{y + 10}">{key}: {scenario["title"]}</text>')
        for name in (name for name in NAMES if name in scenario["proxies"]):
            figures = scenario["proxies"][name]
            parts = [min(figures[part] / nginx, 4) * scale for part in ("userMicros", "kernelMicros")]
            if sum(parts) > 4 * scale:
                parts[1] = 4 * scale - parts[0]
            x = left
            for part, color in zip(parts, COLORS[name]):
                out.append(f'<rect x="{x:.1f}" y="{y}" width="{part:.1f}" height="{bar - 2}" fill="{color}"/>')
                x += part
            out.append(f'<text x="{x + 4:.1f}" y="{y + 9}" fill="#333">{figures["micros"] / nginx:.2f} {NAMES[name]}</text>')
            y += bar
        y += gap
    out.append(f'<line x1="{left + scale}" y1="44" x2="{left + scale}" y2="{height - 8}" stroke="#999" stroke-dasharray="3 3"/></svg>')
    return "\n".join(out) + "\n"


def tables(result):
    m, v, s = result["machine"], result["versions"], result["settings"]
    named = ", ".join(f"{NAMES.get(name, 'Java')} {version}" for name, version in v.items() if version)
    direct = result["direct"]
    out = [textwrap.fill(
        f"Measured on {m['day']}: {m['cores']} cores of {m['processor']}, {m['memoryGiB']} GiB, Linux {m['kernel']}; {named}. "
        f"{s['rounds']} rounds of {s['seconds']:g} s. Without a proxy the load program reaches "
        f"{direct['requestsPerSecond']:,.0f} requests/s, {direct['load']['micros']:.1f} µs each. A cache line takes {m['coreDistanceNanos']:.0f} ns to the other core and back.", 120), "",
        "| scenario | figure | value | required | goal | reached |", "| --- | --- | --- | --- | --- | --- |",
    ]  # fmt: skip
    for t in targets(result):
        reached = "required" if t["reached"] == "least" else t["reached"]
        out.append(f"| {t['scenario']}: {result['scenarios'][t['scenario']]['title']} | {t['title']} | {t['value']:g} | {t['least']:g} | {t['goal']:g} | {reached} |")
    for key, scenario in ordered(result["scenarios"]):
        rate = f", {scenario['rate']:,} requests/s" if scenario["rate"] else ""
        out += ["", f"### {key}: {scenario['title']}{rate}", "",
                f"| proxy | µs/{scenario['per']} | user + kernel | requests/s | p50, p99, p99.9 µs | core, others, load | RSS MiB | errors | {scenario['of']} ÷ it |",
                "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
        for name, f in scenario["proxies"].items():
            latency = ", ".join(f"{value:,.0f}" for value in f.get("latencyMicros", {}).values())
            ratio = scenario["ratios"].get(name, {}).get("micros", "")
            out.append(f"| {name} | {f['micros']:.2f} | {f['userMicros']:.2f} + {f['kernelMicros']:.2f} | {f['requestsPerSecond']:,.0f} | {latency}"
                       f" | {f['busy']:.0%}, {f.get('others', 0):.0%}, {f.get('loadBusy', 0):.0%} | {f['residentMiB']:.0f} | {f['errors']} | {ratio} |")  # fmt: skip
    return "\n".join(out) + "\n"


def write(result, folder, docs):
    result["targets"] = targets(result)
    for target in [folder, docs] if docs else [folder]:
        target.mkdir(parents=True, exist_ok=True)
        (target / "performance.json").write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
        (target / "performance.svg").write_text(chart(result))
    (folder / "performance.md").write_text(tables(result))
    page = Path(docs, "performance.md") if docs else None
    if page:
        replace_section(page, BEGIN, END, tables(result))


def replace_section(page, begin, end, text):
    """Puts text between two lines of a page."""
    old = page.read_text()
    page.write_text(old[: old.index(begin) + len(begin)] + "\n" + text + old[old.index(end) :])
