"""curl and aria2c: downloads that stop in the middle and go on, and one in pieces at a time."""

import filecmp
import os

from harness.files import serve_files
from harness.place import Site, expect

HTTP2 = True  # of curl; aria2c speaks HTTP/1.1


def serve(place):
    place.need("aria2c", "aria2")
    place.need("curl", "curl")
    root = place.make("files")
    with (root / "large").open("wb") as large:
        for _ in range(64):
            large.write(os.urandom(1 << 20))
    node = serve_files(place, root)
    return [Site("/", [node]), Site("/below", [node], strip=True)]


def use(place, url):
    large = place.folder / "files/large"
    folder = place.make("downloads-" + url.split(":")[2].replace("/", "-"))

    def same(name):
        expect(f"{name} differs from the file", filecmp.cmp(folder / name, large, shallow=False))

    # Ends by itself in the middle: 64 MiB at 16 MiB/s take 4 s.
    place.run("curl", "-sS", "--limit-rate", "16M", "--max-time", "1.5", "-o", folder / "curl", f"{url}/large", expect=28)
    half = (folder / "curl").stat().st_size
    expect(f"curl had {half} bytes when it stopped", 0 < half < large.stat().st_size)
    place.run("curl", "-sSf", "-C", "-", "-o", folder / "curl", f"{url}/large")
    same("curl")
    aria2c = ["aria2c", "--quiet", "--console-log-level=error", "--file-allocation=none", "-d", folder,
              f"--ca-certificate={place.env['SSL_CERT_FILE']}"]
    place.run(*aria2c, "--stop=2", "--max-download-limit=8M", "-x", "1", "-o", "resumed", f"{url}/large", expect=7)
    place.run(*aria2c, "--continue", "-x", "1", "-o", "resumed", f"{url}/large")
    same("resumed")
    place.run(*aria2c, "-x", "8", "-s", "8", "-k", "1M", "-o", "pieces", f"{url}/large")
    same("pieces")
    return "curl -C - and aria2c resumed 64 MiB, aria2c read 8 ranges at a time"
