"""Gives a gateway a configuration that no file can have: it is written to a control plane once, and left on the disk."""

import json
import os
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

PATIENCE_SECONDS = 180
TOKEN = "bench-admin-token"


def call(port, path, body=None, method="GET"):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", None if body is None else json.dumps(body).encode(), method=method,
        headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"})  # fmt: skip
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.status


def until(what, fact):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not fact():
        if time.monotonic() > deadline:
            raise RuntimeError(f"not within {PATIENCE_SECONDS} s: {what}")
        time.sleep(0.2)


def answers(port, path):
    try:
        return call(port, path) == 200
    except (OSError, urllib.error.URLError):
        return False


def prepare(program, folder, resources, admin_port, telemetry_port, cluster_port):
    """Makes `folder`/data, with which a gateway serves `resources` (by kind and id) without a control plane."""
    once = Path(folder) / "once"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SIGMA_")} | {
        "SIGMA_DATA_DIR": str(once), "SIGMA_ADMIN_PORT": str(admin_port), "SIGMA_TELEMETRY_PORT": str(telemetry_port),
        "SIGMA_CLUSTER_PORT": str(cluster_port), "SIGMA_ADMIN_TOKEN": TOKEN, "SIGMA_STOP_DELAY_MILLIS": "0",
        "SIGMA_WARM_UP_MILLIS": "0",
    }  # fmt: skip
    with open(Path(folder) / "once.log", "w") as log:
        process = subprocess.Popen(
            [program, "standalone"], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)  # fmt: skip
    try:
        until("the control plane is up", lambda: answers(admin_port, "/api/v1/health"))
        for kind, some in resources.items():
            for name, body in some.items():
                call(admin_port, f"/api/v1/{kind}/{name}?wait=all", body, "PUT")
        # The gateway writes what it serves a moment later.
        time.sleep(2)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    data = Path(folder) / "data"
    data.mkdir(exist_ok=True)
    for file in once.glob("snapshot*"):
        (shutil.copytree if file.is_dir() else shutil.copy)(file, data / file.name)
