"""How each proxy is started with its configuration, and stopped. A configuration is a file of ../proxies with @NAMES@ in it."""

import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import followed
import machine

BENCH = Path(__file__).resolve().parent.parent
TARGET = BENCH / "target"
NGINX_MODULES = Path(os.environ.get("NGINX_MODULES", "/usr/lib/nginx/modules"))
FOLLOWED = ("tcp.json", "tls-pass.json", "bolt.json")
INCLUDED = {"watched.yaml": "routes.yaml"}  # a second file that is filled in, by the first one or by the product
INCLUDED_BY_PRODUCT = {"traefik": "routes.yaml"}
CHANGED = "-churn"  # names of proxies that are started so that they can be given another configuration end so
SIGMA = Path(os.environ.get("SIGMA_HOME", BENCH.parent / "deploy/cli/target/sigma"))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def certificate():
    """A key and a certificate of the bench's own, made once."""
    folder = TARGET / "tls"
    if not (folder / "both.pem").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "3650",
             "-subj", "/CN=bench.example.com", "-addext", "subjectAltName=DNS:bench.example.com",
             "-keyout", folder / "key.pem", "-out", folder / "cert.pem"], check=True, capture_output=True)  # fmt: skip
        (folder / "both.pem").write_text((folder / "cert.pem").read_text() + (folder / "key.pem").read_text())
    return folder


class Proxy:
    """One proxy with one configuration. Its ports are its own, so that several run side by side."""

    def __init__(self, name, template, core, nodes, environment=None, routes=0):
        self.name = name
        self.product = Path(template).parent.name
        self.template = BENCH / "proxies" / template
        self.core = core
        self.nodes = nodes
        self.environment = environment or {}
        self.routes = routes
        self.port, self.tls_port, self.h2_port, self.admin_port = (free_port() for _ in range(4))
        if self.product in ("sigma", "envoy", "caddy"):
            self.h2_port = self.port
        self.folder = TARGET / "run" / name
        self.process = None
        self.warm = set()

    def program(self):
        if self.product == "sigma":
            path = SIGMA / "bin/sigma"
            return str(path) if path.exists() else None
        if self.product == "nginx" and self.template.name == "stream.conf" and not (NGINX_MODULES / "ngx_stream_module.so").exists():
            return None
        if self.product == "envoy":
            spec = importlib.util.find_spec("envoy")
            package = Path(spec.origin).parent / "_bin/envoy" if spec and spec.origin else None
            return str(package) if package and package.exists() else shutil.which("envoy")
        if self.product == "pingora":
            path = TARGET / "pingora/release/bench-pingora"
            return str(path) if path.exists() else None
        package = TARGET / self.product / "bin" / self.product
        if package.exists():
            return str(package)
        return shutil.which(self.product, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")

    def configure(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        tls = certificate()
        values = {
            "DIR": self.folder, "PORT": self.port, "TLS_PORT": self.tls_port, "H2_PORT": self.h2_port,
            "ADMIN_PORT": self.admin_port, "NODE1": self.nodes[0], "NODE2": self.nodes[1],
            "MODULES": f"load_module {NGINX_MODULES / 'ngx_stream_module.so'};",
            "CERT": tls / "cert.pem", "KEY": tls / "key.pem", "PEM": tls / "both.pem",
        }  # fmt: skip
        def filled(path):
            return re.sub(r"@([A-Z0-9_]+)@", lambda m: str(values[m.group(1)]), path.read_text())

        text = filled(self.template)
        if self.routes:
            config = json.loads(text)
            config["router"][0]["route"] = [
                {"id": f"r{i}", "enable": True, "path": f"/r{i}/*", "proxy-pass-id": "one"} for i in range(self.routes)]  # fmt: skip
            text = json.dumps(config)
        file = self.folder / self.template.name
        file.write_text(text)
        self.changing = file
        included = INCLUDED.get(self.template.name) or INCLUDED_BY_PRODUCT.get(self.product)
        if included:
            self.changing = self.folder / included
            self.changing.write_text(filled(self.template.parent / included))
        if self.is_followed():
            followed.prepare(self.program(), self.folder, json.loads(text), free_port(), free_port(), free_port())
        return str(file)

    def is_followed(self):
        """Whether the configuration is one for a control plane: a sigma.json has proxy servers of HTTP alone."""
        return self.product == "sigma" and self.template.name in FOLLOWED

    def command(self, file):
        return [self.program()] + {
            "sigma": ["gateway"] if self.is_followed() else ["gateway", "--config", file],
            "nginx": ["-c", file],
            "haproxy": [*(["-W"] if self.name.endswith(CHANGED) else []), "-db", "-f", file],
            "envoy": ["-c", file, "--concurrency", "1", "--disable-hot-restart", "--log-level", "error"],
            "pingora": [str(self.port), *map(str, self.nodes), str(self.folder / "access.log")],
            "caddy": ["run", "--config", file, "--adapter", "caddyfile"],
            "traefik": [f"--configFile={file}"],
        }[self.product]

    def launch(self):
        """Starts the process, and does not wait for it."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SIGMA_")}
        if self.product == "sigma":
            environment |= {
                "SIGMA_EVENT_LOOPS": "1", "SIGMA_ACCESS_LOG": str(self.folder / "access.log"),
                "SIGMA_DATA_DIR": str(self.folder / "data"), "SIGMA_TELEMETRY_PORT": str(self.admin_port),
                "SIGMA_STOP_DELAY_MILLIS": "0",
            } | self.environment  # fmt: skip
            if self.is_followed():
                # Nobody is there: it serves what is on the disk.
                environment |= {"SIGMA_CONTROL_PLANES": "127.0.0.1:1", "SIGMA_JOIN_TOKEN": "bench-join-token"}
        if self.product in ("caddy", "traefik"):
            environment |= {"GOMAXPROCS": "1", "HOME": str(self.folder)}
        file = self.configure()
        # HAProxy logs to its standard output.
        with open(self.folder / "out", "w") as out, open(self.folder / "err", "w") as err:
            self.process = subprocess.Popen(
                self.command(file), cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                preexec_fn=lambda: os.sched_setaffinity(0, {self.core}), start_new_session=True)  # fmt: skip

    def await_open(self):
        """Waits until it accepts connections."""
        deadline = time.monotonic() + 120
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                if machine.listens(self.pids(), self.port):
                    return
                # Its port was free when it was chosen. Whoever has it now answers, and would be measured.
                raise ConnectionError(f"port {self.port} belongs to another program")
            except OSError as e:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    tail = (self.folder / "err").read_text()[-2000:]
                    raise RuntimeError(f"{self.name} does not start: {e}: {tail}") from None
                time.sleep(0.1)

    def start(self):
        self.launch()
        self.await_open()

    def change(self, number):
        """Gives it a configuration in which the path of a route is another one, in the way that is meant for it."""
        text = self.changing.read_text()
        new = re.sub(r"/orders(-\d+)?/", f"/orders-{number}/", text)
        file = self.changing.with_suffix(".new")
        file.write_text(new)
        file.replace(self.changing)
        if self.product in ("nginx", "haproxy"):
            self.process.send_signal(signal.SIGHUP if self.product == "nginx" else signal.SIGUSR2)
        elif self.product == "caddy":
            request = urllib.request.Request(
                f"http://127.0.0.1:{self.admin_port}/load", new.encode(), {"Content-Type": "text/caddyfile"}, method="POST")  # fmt: skip
            urllib.request.urlopen(request, timeout=30).close()

    def pids(self):
        return machine.tree(self.process.pid)

    def allocated_bytes(self):
        """What the threads of a JVM have allocated; those of the JVM itself and the one that answers are not among them."""
        output = subprocess.run(
            ["jcmd", str(self.process.pid), "Thread.print", "-e"], capture_output=True, text=True, check=True, timeout=30).stdout  # fmt: skip
        units = {"B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
        return sum(
            float(amount) * units[unit]
            for line in output.splitlines() if line.startswith('"') and not line.startswith('"Attach Listener')
            for amount, unit in re.findall(r" allocated=([\d.]+)([BKMG])", line))  # fmt: skip

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        # Logs of millions of requests are of no use to anybody.
        for log in (self.folder / "access.log", self.folder / "out"):
            log.unlink(missing_ok=True)
        self.process = None
        self.warm.clear()


def versions():
    def version(name, pattern, *arguments):
        program = Proxy(name, f"{name}/tuned", 0, (0, 0)).program()
        return machine.first_match(pattern, [program, *arguments]) if program else None

    pingora = re.search(r'pingora-proxy = "([^"]+)"', (BENCH / "proxies/pingora/Cargo.toml").read_text())

    return {
        "nginx": version("nginx", r"nginx/(\S+)", "-v"),
        "haproxy": version("haproxy", r"version (\d[\d.]+)", "-v"),
        "envoy": version("envoy", r"/(\d+\.\d+\.\d+)/", "--version"),
        "pingora": pingora.group(1) if pingora and Proxy("pingora", "pingora/Cargo.toml", 0, (0, 0)).program() else None,
        "caddy": version("caddy", r"v(\S+)", "version"),
        "traefik": version("traefik", r"Version:\s+(\S+)", "version"),
        "java": machine.first_match(r'version "([^"]+)"', ["java", "-version"]),
    }
