"""git over smart HTTP: lighttpd runs git-http-backend; git pushes and clones 200 MB."""

import filecmp
import os

from harness.place import Site, expect

HTTP2 = True
# Random bytes gain nothing by compression, and 200 MB of it take minutes.
RAW = ["-c", "core.compression=0", "-c", "core.bigFileThreshold=1m", "-c", "user.name=Someone", "-c", "user.email=a@example.com"]


def serve(place):
    lighttpd = place.need("lighttpd", "lighttpd")
    backend = place.need("git-http-backend", "git")
    root = place.make("repositories")
    port = place.port()
    config = place.folder / "lighttpd.conf"
    config.write_text(f"""
server.modules = ("mod_alias", "mod_setenv", "mod_cgi")
server.document-root = "{root}"
server.bind = "127.0.0.1"
server.port = {port}
server.stream-response-body = 2
alias.url = ("/" => "{backend}/")
setenv.set-environment = ("GIT_PROJECT_ROOT" => "{root}", "GIT_HTTP_EXPORT_ALL" => "1", "REMOTE_USER" => "someone")
cgi.assign = ("" => "")
""")
    node = place.start(lighttpd, "-D", "-f", config, port=port)
    with (place.folder / "large").open("wb") as large:
        for _ in range(200):
            large.write(os.urandom(1 << 20))
    return [Site("/", [node]), Site("/below", [node], strip=True)]


def use(place, url):
    name = url.split(":")[2].replace("/", "-")
    bare = place.folder / "repositories" / f"{name}.git"
    mine, theirs, shallow = (place.folder / f"{kind}-{name}" for kind in ("mine", "theirs", "shallow"))
    place.run("git", "init", "--quiet", "--bare", "--initial-branch=main", bare)
    place.run("git", "-C", bare, "config", "http.receivepack", "true")
    place.run("git", "-C", bare, "config", "core.compression", "0")
    place.run("git", "init", "--quiet", "--initial-branch=main", mine)
    os.link(place.folder / "large", mine / "large")

    def commit_and_push(text):
        place.run("git", *RAW, "-C", mine, "add", ".")
        place.run("git", *RAW, "-C", mine, "commit", "--quiet", "-m", text)
        place.run("git", *RAW, "-C", mine, "push", "--quiet", f"{url}/{name}.git", "main")

    # Longer than http.postBuffer, so git sends chunks after a probe.
    commit_and_push("200 MB")
    place.run("git", "clone", "--quiet", f"{url}/{name}.git", theirs)
    expect("the clone differs from what was pushed", filecmp.cmp(theirs / "large", mine / "large", shallow=False))
    for number in range(30):
        (mine / f"small{number}").write_text(str(number) * 1000)
    commit_and_push("small files")
    place.run("git", "-C", theirs, "pull", "--quiet")
    expect("the pull brought nothing", (theirs / "small29").exists())
    place.run("git", "clone", "--quiet", "--depth", "1", "--no-checkout", f"{url}/{name}.git", shallow)
    place.run("rm", "-rf", mine, theirs, bare, shallow)
    return "pushed and cloned 200 MB, pulled, shallow clone"
