"""Passes datagrams through Sigma and nginx in turn: 512 bytes and back, closed loop and 80 % of what nginx can. See ../README.md.

  python3 -B bench/udp/compare.py [--rounds 3] [--seconds 3] [--transports io_uring,epoll] [--classpath PATH]

NGINX_STREAM names ngx_stream_module.so where nginx has it as a module."""

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import time
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
TARGET = BENCH / "target/udp"
LOAD = TARGET / "sigma-datagrams"
JAVA = str(Path(os.environ.get("JAVA_HOME", "/usr")) / "bin/java")


def build():
    TARGET.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", LOAD, BENCH / "udp/load.c"], check=True)


def classpath():
    root = BENCH.parent
    own = [root / module / "target/classes" for module in ("openapi", "common", "data-plane/plugin-api", "data-plane", "bench")]
    return ":".join([*map(str, own), (root / "deploy/cli/target/cp.txt").read_text().strip()])


def start(name, arguments):
    """Starts one proxy on the first processor, and returns it."""
    folder = TARGET / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    port, node = PORTS[name]
    if name == "nginx":
        module = os.environ.get("NGINX_STREAM")
        text = (BENCH / "udp/nginx.conf").read_text()
        for key, value in {"MODULE": f"load_module {module};" if module else "", "DIR": folder, "PORT": port, "NODE": node}.items():
            text = text.replace(f"@{key}@", str(value))
        (folder / "nginx.conf").write_text(text)
        command = [shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    else:
        command = [JAVA, "-XX:+UseCompactObjectHeaders", "-XX:+UseG1GC", "-Xmx512m", "-Dio.netty.recycler.chunkSize=256",
                   "--enable-native-access=ALL-UNNAMED", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp", arguments.classpath or classpath(),
                   "io.sigma.bench.udp.UdpGateway", str(port), str(node), str(folder / "data"), name]  # fmt: skip
    with open(folder / "out", "w") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
                                   preexec_fn=lambda: os.sched_setaffinity(0, {0}))  # fmt: skip
    deadline = time.monotonic() + 90
    while name != "nginx" and "ready" not in (folder / "out").read_text():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError((folder / "out").read_text()[-3000:])
        time.sleep(0.2)
    time.sleep(0.5)
    return process


def pids(process):
    """All processes of a proxy."""
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
    return [str(process.pid), *children]


def load(name, process, seconds, rate=0, warmup=1.0):
    port, node = PORTS[name]
    command = [str(LOAD), "--listen", str(node), "--port", str(port), "--seconds", str(seconds), "--warmup", str(warmup), "--rate", str(rate)]
    for pid in pids(process):
        command += ["--pid", pid]
    run = subprocess.run(command, check=True, capture_output=True, text=True, preexec_fn=lambda: os.sched_setaffinity(0, {1}))
    return json.loads(run.stdout)


def median(runs, field):
    return statistics.median(run[field] for run in runs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--transports", default="io_uring,epoll")
    parser.add_argument("--classpath")
    arguments = parser.parse_args()
    names = [*arguments.transports.split(","), "nginx"]
    PORTS.update({name: (23000 + 2 * i, 23001 + 2 * i) for i, name in enumerate(names)})
    build()
    running = {name: start(name, arguments) for name in names}
    try:
        for name in names:
            load(name, running[name], 1, warmup=8 if name != "nginx" else 1)
        results = {}
        rate = 0
        for what in ("closed", "rate-80"):
            runs = {name: [] for name in names}
            for _ in range(arguments.rounds):
                for name in names:
                    runs[name].append(load(name, running[name], arguments.seconds, rate))
            results[what] = {
                name: {
                    **{field: round(median(runs[name], field), 3) for field in ("perSecond", "userMicros", "kernelMicros", "micros", "core")},
                    "sent": sum(run["sent"] for run in runs[name]),
                    "lost": sum(run["lost"] for run in runs[name]),
                    "microsOfNginx": round(statistics.median(a["micros"] / b["micros"] for a, b in zip(runs[name], runs["nginx"])), 3),
                }
                for name in names
            }  # fmt: skip
            results[what]["rate"] = rate
            rate = int(0.8 * median(runs["nginx"], "perSecond"))
        print(json.dumps(results, indent=2))
    finally:
        for process in running.values():
            process.send_signal(signal.SIGTERM)
        for process in running.values():
            process.wait(30)


PORTS = {}

if __name__ == "__main__":
    main()
