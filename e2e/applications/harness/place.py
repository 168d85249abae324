"""Where an application lives: its folder, packages, processes and ports."""

import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import time

from .authority import Authority

PLAYWRIGHT = "playwright-core@1.65.1"


class Failure(Exception):
    """A client, or an application, did not do what it should."""


class Skipped(Exception):
    """Something that the application needs is not on this machine."""


class Site:
    """A path of the gateway and the nodes behind it. With strip, nodes get paths without it."""

    def __init__(self, path, nodes, strip=False):
        self.path = path
        self.nodes = nodes
        self.strip = strip

    @property
    def prefix(self):
        return self.path.rstrip("/")


class Place:
    def __init__(self, home, name):
        self.home = home
        self.target = home / "target"
        self.folder = self.target / "work" / name
        self.processes = []
        self.taken = []

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.authority = Authority(self.target / "authority")
        ca = str(self.authority.ca)
        self.env = dict(
            os.environ,
            HOME=str(self.make("home")),
            # Each client has its own name for the authorities that it trusts.
            SSL_CERT_FILE=ca,
            CURL_CA_BUNDLE=ca,
            REQUESTS_CA_BUNDLE=ca,
            AWS_CA_BUNDLE=ca,
            GIT_SSL_CAINFO=ca,
            NODE_EXTRA_CA_CERTS=ca,
            PYTHONUNBUFFERED="1",
            PYTHONDONTWRITEBYTECODE="1",
            NO_PROXY="*",
        )
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                try:
                    process.wait(15)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()

    def make(self, path):
        folder = self.folder / path
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def port(self):
        """Returns a free port that nothing else of this run has. The system gives none of these to others by itself."""
        while True:
            port = random.randrange(10_000, 32_000)
            try:
                with socket.socket() as held:
                    held.bind(("127.0.0.1", port))
            except OSError:
                continue
            if port not in self.taken:
                self.taken.append(port)
                return port

    def need(self, command, package):
        found = shutil.which(command) or shutil.which(command, path="/usr/sbin:/usr/lib/git-core")
        if not found:
            raise Skipped(f"{command} is not here (apt-get install {package})")
        return found

    def python(self, *packages):
        """The Python of a venv that has these packages."""
        venv = self.target / "venv" / self.folder.name
        self.once(venv, packages, [
            ["python3", "-m", "venv", venv],
            [venv / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *packages],
        ])
        return venv / "bin/python"

    def node(self, *packages, overrides=None, name=None):
        """A folder with these packages in node_modules. Overrides are versions of what they depend on."""
        self.need("node", "nodejs")
        folder = self.target / "node" / (name or self.folder.name)
        manifest = json.dumps({"private": True, "overrides": overrides or {}})
        self.once(folder, packages, [
            ["sh", "-c", f"echo '{manifest}' > {folder}/package.json"],
            ["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", "--save-exact", *packages],
        ])
        return folder

    def go(self, package):
        """The program of a Go package."""
        self.need("go", "golang-go")
        path, version = package.rsplit("@", 1)
        folder = self.target / "go" / version
        self.once(folder / (path.rsplit("/", 1)[1] + ".made"), [package], [["go", "install", package]],
                  env=dict(os.environ, GOBIN=str(folder), CGO_ENABLED="0"))
        return folder / path.rsplit("/", 1)[1]

    def once(self, folder, packages, commands, env=None):
        stamp = folder / ".packages"
        wanted = "\n".join(packages)
        if stamp.exists() and stamp.read_text() == wanted:
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for command in commands:
            done = subprocess.run(command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode:
                raise Skipped(f"{' '.join(packages)} cannot be installed: {tail(done.stdout)}")
        stamp.write_text(wanted)

    def run(self, *command, cwd=None, env=None, timeout=300, expect=0):
        """Runs a client to its end, and returns what it wrote."""
        try:
            done = subprocess.run([str(part) for part in command], cwd=cwd or self.folder, text=True, timeout=timeout,
                                  env=dict(self.env, **(env or {})), stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
        except subprocess.TimeoutExpired as late:
            raise Failure(f"{pathlib.Path(command[0]).name}: not done after {timeout} s: {tail(late.stdout)}") from None
        if done.returncode != expect:
            raise Failure(f"{pathlib.Path(command[0]).name}: exit {done.returncode}: {tail(done.stdout)}")
        return done.stdout

    def start(self, *command, port, cwd=None, env=None, seconds=90):
        """Starts an application, and returns when it accepts connections."""
        log = self.folder / f"application-{port}.log"
        process = subprocess.Popen([str(part) for part in command], cwd=cwd or self.folder, stdin=subprocess.DEVNULL,
                                   env=dict(self.env, **(env or {})), stdout=log.open("w"), stderr=subprocess.STDOUT,
                                   start_new_session=True)
        self.processes.append(process)
        self.wait_for(process, port, log, seconds)
        return f"http://127.0.0.1:{port}"

    def wait_for(self, process, port, log, seconds):
        ends = time.monotonic() + seconds
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                if process.poll() is not None:
                    raise Failure(f"the application ended: {tail(log.read_text(errors='replace'))}") from None
                if time.monotonic() > ends:
                    raise Failure(f"nothing listens on port {port} after {seconds} s: {log}") from None
                time.sleep(0.1)

    def browser(self, script, *arguments):
        """Runs a script of clients/ that drives Chromium, and returns what it wrote."""
        chromium = self.need("chromium", "chromium")
        folder = self.node(PLAYWRIGHT, name="browser")
        # Imports of a script are looked for beside it.
        shutil.copy(self.home / "harness" / "browser.mjs", folder)
        shutil.copy(self.home / "clients" / script, folder)
        return self.run("node", folder / script, *arguments, env={"CHROMIUM_PATH": chromium}).strip()


def tail(text):
    if isinstance(text, bytes):
        text = text.decode(errors="replace")
    lines = [line for line in (text or "").strip().splitlines() if line.strip()]
    return " | ".join(lines[-6:])[-1200:]


def expect(what, is_so):
    if not is_so:
        raise Failure(what)
