"""verdaccio, a registry of npm packages: npm publishes and installs, also a scoped package and a large one."""

import base64
import json
import os

from harness.place import Site, expect

HTTP2 = False  # npm speaks HTTP/1.1
PACKAGES = ["verdaccio@6.1.6"]
# One of its packages names a tag of node-fetch, which not every registry has.
OVERRIDES = {"node-fetch": "2.7.0"}
# It makes absolute addresses of packages, and takes their scheme from X-Forwarded-Proto.
SIGMA = {"router": {"allow-forward": "ALL"}}


def serve(place):
    folder = place.node(*PACKAGES, overrides=OVERRIDES)
    sites = []
    for path in ("/", "/below"):
        port = place.port()
        config = place.folder / f"verdaccio{port}.yaml"
        config.write_text(f"""
storage: {place.make(f"storage{port}")}
url_prefix: {path}
max_body_size: 100mb
auth: {{ htpasswd: {{ file: {place.folder}/htpasswd{port}, max_users: 10 }} }}
packages:
  '@*/*': {{ access: $all, publish: $authenticated }}
  '**': {{ access: $all, publish: $authenticated }}
log: {{ type: stdout, format: pretty, level: warn }}
""")
        node = place.start(folder / "node_modules/.bin/verdaccio", "--listen", f"127.0.0.1:{port}", "--config", config, port=port)
        # It makes the addresses of packages from url_prefix, and expects paths without it.
        sites.append(Site(path, [node], strip=path != "/"))
    return sites


def use(place, url):
    name = url.split(":")[2].replace("/", "-")
    npmrc = place.folder / f"npmrc-{name}"
    host = url.split(":", 1)[1]
    npmrc.write_text(f"registry={url}/\ncafile={place.env['SSL_CERT_FILE']}\naudit=false\nfund=false\nupdate-notifier=false\nfetch-retries=0\n")
    environment = {"NPM_CONFIG_USERCONFIG": str(npmrc), "NPM_CONFIG_CACHE": str(place.make(f"cache-{name}"))}
    # As "npm adduser" does, which asks on a terminal.
    user = json.dumps({"name": name, "password": "a-password", "email": "a@example.com", "type": "user", "roles": []})
    said = json.loads(place.run("curl", "-sSf", "-X", "PUT", "-H", "Content-Type: application/json", "-d", user,
                                f"{url}/-/user/org.couchdb.user:{name}"))
    with npmrc.open("a") as more:
        more.write(f"{host}/:_authToken={said['token']}\n")
    for package, size in (("plain-package", 1000), ("@scope/package", 1000), ("large-package", 30 << 20)):
        folder = place.make(f"{name}/{package}")
        (folder / "package.json").write_text(json.dumps({"name": f"{package}-x{name.split('-')[0]}", "version": "1.0.0"}))
        (folder / "data.txt").write_bytes(base64.b64encode(os.urandom(size * 3 // 4)))
        place.run("npm", "publish", "--access", "public", cwd=folder, env=environment)
    consumer = place.make(f"{name}/consumer")
    (consumer / "package.json").write_text('{"name": "consumer", "version": "1.0.0"}')
    suffix = f"-x{name.split('-')[0]}"
    place.run("npm", "install", *(package + suffix for package in ("plain-package", "@scope/package", "large-package")), cwd=consumer, env=environment)
    resolved = json.loads((consumer / "package-lock.json").read_text())["packages"]["node_modules/@scope/package" + suffix]["resolved"]
    expect(f"a package is at {resolved} (expected: below {url})", resolved.startswith(url + "/"))
    return "published and installed packages, one scoped, one of 30 MB"
