"""WsgiDAV with litmus, the test suite of WebDAV, and with cadaver and rclone: Destination, LOCK, properties."""

import json
import os
import re

from harness.place import Failure, Site, expect

HTTP2 = True  # of rclone; the others speak HTTP/1.1
# WsgiDAV compares the scheme of Destination with that of the request, or with X-Forwarded-Proto.
SIGMA = {"router": {"allow-forward": "ALL"}}
PACKAGES = ["wsgidav==4.4.0", "cheroot==11.1.2"]


def serve(place):
    for command in ("litmus", "cadaver", "rclone"):
        place.need(command, command)
    python = place.python(*PACKAGES)
    sites = []
    for path in ("/", "/below"):
        port = place.port()
        config = place.folder / f"wsgidav{port}.json"
        config.write_text(json.dumps({
            "host": "127.0.0.1", "port": port, "provider_mapping": {"/": str(place.make(f"files{port}"))}, "mount_path": path.rstrip("/"),
            "simple_dc": {"user_mapping": {"*": True}}, "lock_storage": True, "property_manager": True}))
        sites.append(Site(path, [place.start(python, "-m", "wsgidav.server.server_cli", "--config", config, port=port)], strip=path != "/"))
    return sites


def use(place, url):
    name = url.split(":")[2].replace("/", "-")
    said = [litmus(place, url), rclone(place, url, name)]
    if url.startswith("http:"):
        said.append(cadaver(place, url, name))
    return ", ".join(said)


def litmus(place, url):
    # Its TLS trusts no private root, so on TLS the other clients have to do.
    if url.startswith("https:"):
        return "no litmus on TLS"
    output = place.run("litmus", "-k", url + "/", env={"TESTS": "basic copymove props locks http"}, timeout=120)
    failed = re.findall(r"^\s*\d+\. (\S+?)\.* FAIL", output, re.MULTILINE)
    if failed:
        raise Failure("litmus: " + ", ".join(failed))
    passed = re.findall(r"of \d+ tests run: (\d+) passed", output)
    expect(f"litmus: {output[-600:]}", passed)
    return f"litmus: {sum(map(int, passed))} tests"


def rclone(place, url, name):
    config = place.folder / f"rclone-{name}.conf"
    config.write_text(f"[dav]\ntype = webdav\nurl = {url}/\nvendor = other\n")
    files = place.make(f"rclone-{name}")
    for number in range(20):
        (files / f"file {number} ü+%.bin").write_bytes(os.urandom(50_000))
    (files / "large").write_bytes(os.urandom(20 << 20))
    tool = ["rclone", "--config", config, "--retries", "1", "--low-level-retries", "1", "--ca-cert", place.env["SSL_CERT_FILE"]]
    place.run(*tool, "copy", files, "dav:tree")
    # Its Destination is an address of the gateway.
    place.run(*tool, "moveto", "dav:tree/file 1 ü+%.bin", "dav:tree/moved to ü+%.bin")
    place.run(*tool, "copyto", "dav:tree/file 2 ü+%.bin", "dav:tree/copied")
    (files / "file 1 ü+%.bin").rename(files / "moved to ü+%.bin")
    (files / "copied").write_bytes((files / "file 2 ü+%.bin").read_bytes())
    place.run(*tool, "check", "--download", files, "dav:tree")
    place.run(*tool, "purge", "dav:tree")
    return "rclone: copied 21 files, moved, compared"


def cadaver(place, url, name):
    script = place.folder / f"cadaver-{name}"
    (place.folder / "small").write_text("of cadaver")
    script.write_text(f"open {url}/\nmkcol folder\ncd folder\nput {place.folder}/small small\nlock small\nunlock small\n"
                      f"move small moved\ncopy moved copied\nget copied {place.folder}/got-{name}\ncd ..\nrmcol folder\nquit\n")
    output = place.run("sh", "-c", f"cadaver < {script}")
    expect(f"cadaver: {output[-600:]}", (place.folder / f"got-{name}").exists() and "fail" not in output.lower())
    return "cadaver: LOCK, MOVE, COPY"
