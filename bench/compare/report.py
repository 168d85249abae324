"""Medians, ratios, and the files that tell them: performance.json, performance.svg, and the tables of docs/performance.md."""

import json
import statistics
import textwrap
from pathlib import Path

from targets import ALLOCATED, TARGETS

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
COLORS = {"sigma": ("#1d4ed8", "#93b4f5"), "nginx": ("#15803d", "#8fd0a6"), "haproxy": ("#b45309", "#ecc08a"), "envoy": ("#7e22ce", "#c9a4ec"),
          "pingora": ("#be123c", "#eea3b3"), "caddy": ("#0e7490", "#9bd3df"), "traefik": ("#4d7c0f", "#c3d9a0")}  # fmt: skip
NAMES = {"sigma": "Sigma", "nginx": "nginx", "haproxy": "HAProxy", "envoy": "Envoy", "pingora": "pingora", "caddy": "Caddy", "traefik": "Traefik"}


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
            figures["requestsOfRounds"] = [run["requests"] for run in runs]
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
                for q in ("p99", "p999"):
                    of_rounds[q] = quotients(pairs, lambda r, q=q: r["latencyMicros"][q])
            ratios[name] = {key: round(statistics.median(found), 3) for key, found in of_rounds.items() if found}
            ratios[name]["microsOfRounds"] = of_rounds["micros"]
    runs = [run for of_one in rounds.values() for run in of_one]
    state = {
        "coreDistanceNanos": [round(f(run["coreDistanceNanos"] for run in runs)) for f in (min, max)],
        "others": round(max(run["proxy"].get("others", 0) for run in runs), 3),
        "runs": len(runs), "disturbed": sum(run.get("isDisturbed", False) for run in runs), "repeated": sum(run.get("repeated", 0) for run in runs),
    }  # fmt: skip
    return {"machine": state, "title": scenario.title, "per": scenario.per, "rate": rate[1] if rate else 0, "of": first, "proxies": proxies, "ratios": ratios}



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
    for key, value in result.get("allocatedBytesPerRequest", {}).items():
        least, goal = ALLOCATED[key]
        found.append({"scenario": key, "title": "bytes allocated per request", "value": value, "least": least, "goal": goal,
                      "reached": "goal" if value <= goal else "least" if value <= least else "no"})  # fmt: skip
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


def machine_state(state, least):
    """What the machine was like during the runs that count."""
    low, high = state["coreDistanceNanos"]
    near = "near each other" if high <= 2 * least else "far from each other at times"
    return (
        f"The processors were {near} ({low} to {high} ns there and back, {least:.0f} ns at best); others took at most "
        f"{state['others']:.0%} of a core; {state['repeated']} of {state['runs'] + state['repeated']} runs were repeated"
        + (f", and {state['disturbed']} were disturbed to the last and count all the same." if state["disturbed"] else ".")
    )


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
        out += ["", f"### {key}: {scenario['title']}{rate}", "", *textwrap.wrap(machine_state(scenario["machine"], m["coreDistanceNanos"]), 120), "",
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
