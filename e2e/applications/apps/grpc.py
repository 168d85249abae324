"""gRPC with reflection: grpcurl lists services and calls them, and grpcio streams both ways."""

from harness.place import Site, expect

HTTP2 = True
PACKAGES = ["grpcio==1.85.1", "grpcio-reflection==1.85.1", "grpcio-health-checking==1.85.1"]
GRPCURL = "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4"


def serve(place):
    python = place.python(*PACKAGES)
    port = place.port()
    # The path of a call is the name of its service and method, so there is no path above it.
    return [Site("/", [place.start(python, place.home / "clients/grpc_server.py", str(port), port=port)])]


def use(place, url):
    scheme, address = url.split("://")
    grpcurl = [place.go(GRPCURL), *(["-plaintext"] if scheme == "http" else ["-cacert", place.env["SSL_CERT_FILE"]])]
    listed = place.run(*grpcurl, address, "list")
    expect(f"grpcurl lists {listed}", "grpc.health.v1.Health" in listed)
    described = place.run(*grpcurl, address, "describe", "grpc.health.v1.Health")
    expect(f"grpcurl describes {described}", "rpc Watch" in described)
    checked = place.run(*grpcurl, address, "grpc.health.v1.Health/Check")
    expect(f"grpcurl is answered {checked}", "SERVING" in checked)
    said = place.run(place.python(*PACKAGES), place.home / "clients/grpc_client.py", url, place.env["SSL_CERT_FILE"]).strip()
    return f"grpcurl: list, describe, call; {said}"
