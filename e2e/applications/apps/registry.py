"""A container registry: skopeo and crane push and pull an image; uploads in pieces, and ranges of blobs."""

import hashlib
import http.client
import io
import json
import os
import ssl
import tarfile
import urllib.parse

from harness.place import Site, expect

HTTP2 = True  # of crane; skopeo speaks HTTP/1.1
CRANE = "github.com/google/go-containerregistry/cmd/crane@v0.20.8"
# The registry makes absolute addresses for the next request of an upload. It takes their scheme from X-Forwarded-Proto.
SIGMA = {"router": {"allow-forward": "ALL"}}
LAYER_BYTES = 60 << 20


def serve(place):
    registry = place.need("docker-registry", "docker-registry")
    place.need("skopeo", "skopeo")
    port = place.port()
    config = place.folder / "config.yml"
    config.write_text(f"""
version: 0.1
storage:
  filesystem: {{ rootdirectory: {place.make("storage")} }}
  delete: {{ enabled: true }}
http: {{ addr: "127.0.0.1:{port}" }}
""")
    image(place)
    # Clients look for /v2/ at the root of a host. Names of repositories may have any number of segments.
    return [Site("/", [place.start(registry, "serve", config, port=port)])]


def image(place):
    """An image with one layer that cannot be compressed, in the layout of OCI."""
    blobs = place.make("image/blobs/sha256")

    def blob(content):
        digest = hashlib.sha256(content).hexdigest()
        (blobs / digest).write_bytes(content)
        return {"digest": f"sha256:{digest}", "size": len(content)}

    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as layer:
        entry = tarfile.TarInfo("large")
        entry.size = LAYER_BYTES
        layer.addfile(entry, io.BytesIO(os.urandom(LAYER_BYTES)))
    of_oci = "application/vnd.oci.image."
    layer = blob(packed.getvalue())
    config = blob(json.dumps({"architecture": "amd64", "os": "linux", "rootfs": {
        "type": "layers", "diff_ids": [layer["digest"]]}}).encode())
    manifest = blob(json.dumps({
        "schemaVersion": 2, "mediaType": of_oci + "manifest.v1+json",
        "config": {"mediaType": of_oci + "config.v1+json", **config},
        "layers": [{"mediaType": of_oci + "layer.v1.tar", **layer}]}).encode())
    (place.folder / "image/oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
    (place.folder / "image/index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [
        {"mediaType": of_oci + "manifest.v1+json", "annotations": {"org.opencontainers.image.ref.name": "one"}, **manifest}]}))


def use(place, url):
    scheme, name = url.split("://")
    policy = place.folder / "policy.json"
    policy.write_text('{"default": [{"type": "insecureAcceptAnything"}]}')
    skopeo = ["skopeo", "--policy", policy]
    verify = "true" if scheme == "https" else "false"
    place.run(*skopeo, "copy", f"--dest-tls-verify={verify}", f"oci:{place.folder}/image:one", f"docker://{name}/a/b/{scheme}:one")
    place.run(*skopeo, "copy", f"--src-tls-verify={verify}", f"docker://{name}/a/b/{scheme}:one", f"dir:{place.folder}/pulled-{scheme}")
    crane = place.go(CRANE)
    insecure = [] if scheme == "https" else ["--insecure"]
    place.run(crane, "copy", *insecure, f"{name}/a/b/{scheme}:one", f"{name}/crane/{scheme}:two")
    place.run(crane, "pull", *insecure, "--format=oci", f"{name}/crane/{scheme}:two", place.folder / f"crane-{scheme}")
    tarball = place.folder / f"crane-{scheme}.tar"
    place.run(crane, "pull", *insecure, f"{name}/crane/{scheme}:two", tarball)
    place.run(crane, "push", *insecure, tarball, f"{name}/pushed/{scheme}:three")
    in_pieces(place, url)
    return "skopeo and crane pushed and pulled a layer of 60 MiB, PATCH in chunks and in pieces, ranges"


def in_pieces(place, url):
    """Sends a blob in three PATCH requests, one of them in chunks, and reads a range of it."""
    parts = urllib.parse.urlsplit(url)

    def request(method, target, body=None, **fields):
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(parts.netloc, context=ssl.create_default_context(cafile=place.env["SSL_CERT_FILE"]))
        else:
            connection = http.client.HTTPConnection(parts.netloc)
        connection.request(method, target, body, fields, encode_chunked="Transfer-Encoding" in fields)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response, content

    def location(response):
        found = response.headers["Location"]
        expect(f"Location: {found} (expected: one at {url})", found.startswith(("/", url + "/")))
        return found.removeprefix(url)

    blob = os.urandom(3 << 20)
    response, _ = request("POST", f"/v2/pieces/{parts.scheme}/blobs/uploads/")
    expect(f"the upload was answered {response.status}", response.status == 202)
    for number in range(3):
        piece = blob[number << 20:(number + 1) << 20]
        fields = {"Content-Type": "application/octet-stream", "Content-Range": f"{number << 20}-{((number + 1) << 20) - 1}"}
        if number == 1:
            # The registry takes the length from Content-Range where there is none.
            response, _ = request("PATCH", location(response), iter([piece[:1000], piece[1000:]]), **{
                "Content-Type": "application/octet-stream", "Transfer-Encoding": "chunked"})
        else:
            response, _ = request("PATCH", location(response), piece, **fields)
        expect(f"PATCH {number} was answered {response.status}", response.status == 202)
        expect(f"Range: {response.headers['Range']}", response.headers["Range"] == f"0-{((number + 1) << 20) - 1}")
    digest = "sha256:" + hashlib.sha256(blob).hexdigest()
    target = location(response)
    response, _ = request("PUT", f"{target}{'&' if '?' in target else '?'}digest={digest.replace(':', '%3A')}")
    expect(f"PUT was answered {response.status}", response.status == 201)
    response, content = request("GET", f"/v2/pieces/{parts.scheme}/blobs/{digest}", Range="bytes=1000000-1999999")
    expect(f"the range was answered {response.status}", response.status == 206 and content == blob[1000000:2000000])
