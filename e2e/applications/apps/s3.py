"""S3: versitygw, which verifies every signature, with boto3: multipart, ranges, Expect, presigned URLs, strange names."""

from harness.place import Site

HTTP2 = False  # boto3 speaks HTTP/1.1
PACKAGES = ["boto3==1.44.8"]
VERSITYGW = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"
KEYS = {"ROOT_ACCESS_KEY": "someone", "ROOT_SECRET_KEY": "a-secret-of-the-test"}


def serve(place):
    place.python(*PACKAGES)
    versitygw = place.go(VERSITYGW)
    port = place.port()
    node = place.start(versitygw, "--port", f"127.0.0.1:{port}", "posix", place.make("buckets"), port=port, env=KEYS)
    # A signature covers the Host and the path, so buckets are below the root, as at Amazon.
    return [Site("/", [node])]


def use(place, url):
    return place.run(place.python(*PACKAGES), place.home / "clients/s3.py", url, KEYS["ROOT_ACCESS_KEY"], KEYS["ROOT_SECRET_KEY"]).strip()
