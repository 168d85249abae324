"""What the machine and its processes say about themselves."""

import os
import platform
import re
import subprocess
import sys
import time

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def part_cores():
    """Moves this process to a processor of its own; returns that of the proxy, and this one."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        sys.exit("two processors are needed: one for the proxy, one for the load")
    os.sched_setaffinity(0, {cores[1]})
    return cores[0], cores[1]


def tree(pid):
    """The process and all its descendants."""
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as stat:
                    parent = int(stat.read().rpartition(")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
            children.setdefault(parent, []).append(int(entry))
    found, queue = [], [pid]
    while queue:
        found.append(queue.pop())
        queue += children.get(found[-1], [])
    return found


def listens(pids, port):
    """Whether one of the processes has a socket that listens on the port; else it is another program that answers there."""
    sockets = set()
    for family in ("tcp", "tcp6"):
        with open(f"/proc/net/{family}") as table:
            for fields in map(str.split, list(table)[1:]):
                if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                    sockets.add(f"socket:[{fields[9]}]")
    for pid in pids:
        for entry in os.listdir(f"/proc/{pid}/fd"):
            try:
                if os.readlink(f"/proc/{pid}/fd/{entry}") in sockets:
                    return True
            except OSError:
                continue
    return False


def processor_seconds(pids):
    """User and kernel time of the processes, all their threads included."""
    user = kernel = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        user += int(fields[11])
        kernel += int(fields[12])
    return user / TICK, kernel / TICK


def resident_bytes(pids):
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/statm") as statm:
            total += int(statm.read().split()[1]) * PAGE
    return total


def busy(core):
    """Seconds that the core was busy since it started, or was taken away by a hypervisor."""
    with open("/proc/stat") as stat:
        for line in stat:
            if line.startswith(f"cpu{core} "):
                user, nice, system, _, _, irq, softirq, steal = map(int, line.split()[1:9])
                return (user + nice + system + irq + softirq + steal) / TICK
    return 0


def describe():
    with open("/proc/cpuinfo") as cpuinfo:
        model = re.search(r"model name\s*: (.*)", cpuinfo.read())
    with open("/proc/meminfo") as meminfo:
        memory = int(re.search(r"MemTotal:\s*(\d+)", meminfo.read()).group(1))
    return {
        "processor": model.group(1) if model else platform.machine(),
        "cores": os.cpu_count(),
        "memoryGiB": round(memory / 2**20),
        "kernel": re.match(r"[\d.]+", platform.release()).group(),
        "day": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def first_match(pattern, command):
    """What a program says about its version, or None."""
    try:
        output = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(pattern, output.stdout + output.stderr)
    return found.group(1) if found else None
