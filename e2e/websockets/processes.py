"""Starts the programs of a run, each with a log of its own under target/, and ends them with it."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
TARGET = HERE / "target"


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


@contextlib.contextmanager
def program(name, command, environment=None):
    """Runs `command` until the block ends. Its output is in target/NAME.log."""
    with open(TARGET / f"{name}.log", "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})})
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for_port(port, process, name):
    for _ in range(600):
        with socket.socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"{name} does not listen: see {TARGET / name}.log")


def certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True)


@contextlib.contextmanager
def node(kind, folder):
    """A node of nodes.py. Yields its ports of plaintext and TLS."""
    port, tls_port = free_port(), free_port()
    with program(kind, [sys.executable, "-B", HERE / "nodes.py", kind, str(port), str(tls_port), folder]) as process:
        wait_for_port(port, process, kind)
        wait_for_port(tls_port, process, kind)
        yield port, tls_port


@contextlib.contextmanager
def nginx(folder, behind):
    """nginx as a proxy of WebSocket in front of the port `behind`. Yields its port, or None without an nginx."""
    if shutil.which("nginx") is None:
        yield None
        return
    port = free_port()
    (folder / "nginx.conf").write_text(f"""
        daemon off; pid {folder}/nginx.pid; error_log stderr; worker_processes 1;
        events {{ worker_connections 1024; }}
        http {{
          access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
          fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
          server {{
            listen 127.0.0.1:{port};
            location / {{
              proxy_pass http://127.0.0.1:{behind}; proxy_http_version 1.1;
              proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;
            }}
          }}
        }}
        """)
    with program("nginx", ["nginx", "-e", "stderr", "-c", folder / "nginx.conf"]) as process:
        wait_for_port(port, process, "nginx")
        yield port


@contextlib.contextmanager
def haproxy(folder, behind):
    """HAProxy in front of the port `behind`, which takes extended CONNECT alone. Yields its ports of plaintext and TLS, or
    None without an HAProxy."""
    if shutil.which("haproxy") is None:
        yield None, None
        return
    port, tls_port = free_port(), free_port()
    (folder / "both.pem").write_text((folder / "cert.pem").read_text() + (folder / "key.pem").read_text())
    (folder / "haproxy.cfg").write_text(f"""
global
  log stderr local0
  tune.h2.max-concurrent-streams 1000
defaults
  mode http
  timeout connect 10s
  timeout client 60s
  timeout server 60s
  timeout tunnel 60s
frontend http2
  bind 127.0.0.1:{port} proto h2
  bind 127.0.0.1:{tls_port} ssl crt {folder}/both.pem alpn h2
  default_backend nodes
backend nodes
  server node 127.0.0.1:{behind}
""")
    with program("haproxy", ["haproxy", "-db", "-f", folder / "haproxy.cfg"]) as process:
        wait_for_port(port, process, "haproxy")
        yield port, tls_port
