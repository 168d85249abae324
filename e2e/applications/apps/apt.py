"""An apt repository: apt updates from it and downloads from it, on TLS with a private root."""

import os

from harness.files import serve_files
from harness.place import Site, expect

HTTP2 = False  # apt speaks HTTP/1.1
PACKAGE_BYTES = 30 << 20


def serve(place):
    for command, package in (("apt-get", "apt"), ("dpkg-deb", "dpkg"), ("apt-ftparchive", "apt-utils"), ("gpg", "gnupg")):
        place.need(command, package)
    made = place.make("made/DEBIAN")
    (made / "control").write_text("Package: sigma-example\nVersion: 1.0+a~1\nArchitecture: all\nMaintainer: a@example.com\nDescription: an example\n")
    (place.folder / "made/large").write_bytes(os.urandom(PACKAGE_BYTES))
    # "+" and "~" are in names of packages, and apt escapes them.
    pool = place.make("repository/pool")
    place.run("dpkg-deb", "--build", "-Znone", place.folder / "made", pool / "sigma-example_1.0+a~1_all.deb")
    binary = place.make("repository/dists/stable/main/binary-amd64")
    root = place.folder / "repository"
    (binary / "Packages").write_text(place.run("apt-ftparchive", "packages", "pool", cwd=root))
    place.run("gzip", "-k", binary / "Packages")
    (root / "dists/stable/Release").write_text(place.run(
        "apt-ftparchive", "-o", "APT::FTPArchive::Release::Suite=stable", "-o", "APT::FTPArchive::Release::Components=main",
        "-o", "APT::FTPArchive::Release::Architectures=amd64", "release", "dists/stable", cwd=root))
    sign(place, root / "dists/stable")
    node = serve_files(place, root)
    return [Site("/", [node]), Site("/below", [node], strip=True)]


def sign(place, folder):
    gpg = ["gpg", "--homedir", place.make("gpg"), "--batch", "--passphrase", ""]
    place.run("chmod", "700", place.folder / "gpg")
    place.run(*gpg, "--quick-generate-key", "a@example.com", "ed25519", "sign")
    place.run(*gpg, "--export", "--armor", "--output", place.folder / "key.asc", "a@example.com")
    place.run(*gpg, "--clearsign", "--output", folder / "InRelease", folder / "Release")
    place.run("gpgconf", "--homedir", place.folder / "gpg", "--kill", "all")


def use(place, url):
    name = "apt-" + url.split(":")[2].replace("/", "-")
    folder = place.make(name)
    for part in ("state/lists/partial", "cache/archives/partial", "etc/apt.conf.d", "etc/preferences.d", "etc/trusted.gpg.d"):
        place.make(f"{name}/{part}")
    (folder / "status").touch()
    (folder / "sources.list").write_text(f"deb [signed-by={place.folder}/key.asc] {url} stable main\n")
    config = folder / "apt.conf"
    config.write_text(f"""
Dir::State "{folder}/state";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}/cache";
Dir::Etc "{folder}/etc";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "-";
APT::Architecture "amd64";
APT::Sandbox::User "root";
Acquire::https::CAInfo "{place.env['SSL_CERT_FILE']}";
""")
    environment = {"APT_CONFIG": str(config)}
    place.run("apt-get", "update", "--error-on=any", env=environment)
    # The second update asks with If-Modified-Since.
    said = place.run("apt-get", "update", "--error-on=any", env=environment)
    expect(f"the second update was no hit: {said}", "Hit:1" in said)
    downloads = place.make(f"{name}/downloads")
    place.run("apt-get", "download", "sigma-example", cwd=downloads, env=environment)
    package = next(downloads.iterdir())
    expect("the package has another length", package.stat().st_size > PACKAGE_BYTES)
    # A partial file goes on with Range and If-Range.
    partial = folder / "cache/archives/partial/sigma-example_1.0+a~1_all.deb"
    partial.write_bytes(package.read_bytes()[:PACKAGE_BYTES // 2])
    os.utime(partial, (package.stat().st_mtime, package.stat().st_mtime))
    place.run("apt-get", "install", "--yes", "--download-only", "sigma-example", env=environment)
    return "apt-get update twice, download, a partial download went on"
