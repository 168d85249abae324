"""What is measured: for each scenario the proxies, and what the load program is told. To add one, add it to SCENARIOS."""

from dataclasses import dataclass, field

API = ["--path", "/api/items/42"]
MIB = str(1 << 20)


@dataclass(frozen=True)
class Scenario:
    key: str
    title: str
    proxies: tuple  # names of PROXIES; the first one is compared with the others
    load: list  # arguments of sigma-load
    per: str = "request"  # or "MiB": what processor time is told for
    overrides: dict = field(default_factory=dict)  # further arguments for single proxies
    port: str = "port"  # the listener: port, tls_port
    fresh: bool = False  # with processes of its own, so that their memory is that of this scenario
    more: int = 1  # times the rounds, where a few percent decide
    longer: float = 1  # times the measured time: one stop of the machine must not decide a p99
    warmer: float = 1  # times the runs that warm up: what is done once a connection, or once 64 KiB, is compiled late
    rate_of_slowest: float = 0  # requests a second as a part of what the slowest did in scenario rate_from
    rate_from: str = "a"
    h2load: list = field(default_factory=list)  # instead of sigma-load
    nodes: list = field(default_factory=list)  # arguments of sigma-load as the nodes of h2load
    h2_parts: float = 1  # of the number of requests that h2load sends, where one is more work
    mix: bool = False  # requests of several kinds in turn
    changes: float = 0  # configurations a second that the proxy gets meanwhile; its processor time is that of its core


# Template below ../proxies, environment of Sigma, number of routes.
PROXIES = {
    "sigma": ("sigma/tuned.json", {}, 0),
    "sigma-epoll": ("sigma/tuned.json", {"SIGMA_TRANSPORT": "epoll"}, 0),
    "sigma-plugins": ("sigma/plugins.json", {}, 0),
    "sigma-10-routes": ("sigma/tuned.json", {}, 10),
    "sigma-100000-routes": ("sigma/tuned.json", {}, 100_000),
    "nginx": ("nginx/tuned.conf", {}, 0),
    "nginx-keepalive-16": ("nginx/keepalive-16.conf", {}, 0),
    "nginx-defaults": ("nginx/defaults.conf", {}, 0),
    "haproxy": ("haproxy/tuned.cfg", {}, 0),
    "haproxy-defaults": ("haproxy/defaults.cfg", {}, 0),
    "envoy": ("envoy/tuned.yaml", {}, 0),
    "pingora": ("pingora/Cargo.toml", {}, 0),
    "caddy": ("caddy/tuned.conf", {}, 0),
    "traefik": ("traefik/tuned.yaml", {}, 0),
    "sigma-grpc": ("sigma/tuned.json", {}, 0),
    "nginx-grpc": ("nginx/grpc.conf", {}, 0),
    "haproxy-grpc": ("haproxy/grpc.cfg", {}, 0),
    "envoy-grpc": ("envoy/grpc.yaml", {}, 0),
    "sigma-churn": ("sigma/tuned.json", {}, 0),
    "nginx-churn": ("nginx/tuned.conf", {}, 0),
    "haproxy-churn": ("haproxy/tuned.cfg", {}, 0),
    "envoy-churn": ("envoy/watched.yaml", {}, 0),
    "caddy-churn": ("caddy/tuned.conf", {}, 0),
    "traefik-churn": ("traefik/tuned.yaml", {}, 0),
    "sigma-tcp": ("sigma/tcp.json", {}, 0),
    "nginx-stream": ("nginx/stream.conf", {}, 0),
    "haproxy-tcp": ("haproxy/tcp.cfg", {}, 0),
    "sigma-bolt": ("sigma/bolt.json", {}, 0),
    "sigma-tls-pass": ("sigma/tls-pass.json", {}, 0),
    "haproxy-tls-pass": ("haproxy/tls-pass.cfg", {}, 0),
    "envoy-tcp": ("envoy/tcp.yaml", {}, 0),
}

PEERS = ("sigma", "nginx", "haproxy", "envoy")
OTHERS = ("pingora", "caddy", "traefik")  # where a comparison with them is asked for
CALLS = ("sigma-grpc", "nginx-grpc", "envoy-grpc", "haproxy-grpc")
CHURNED = tuple(f"{name}-churn" for name in (*PEERS, "caddy", "traefik"))
STREAMS = ("sigma-tcp", "haproxy-tcp", "nginx-stream", "envoy-tcp")
# A request and a response of about 1 KiB each, which are only bytes to the proxy.
PING_PONG = ["--path", "/ping", "--body", "900", "--response", "900"]

SCENARIOS = [
    Scenario("a", "64 connections, JSON of 41 bytes",
             (*PEERS, *OTHERS, "sigma-epoll"), ["--connections", "64", *API]),
    Scenario("b", "2,000 connections, rewrite-path, two nodes", PEERS, ["--connections", "2000", "--path", "/test/items/42"]),
    Scenario("c", "100 connections, tuned and as published elsewhere",
             ("sigma", "nginx", "haproxy", "nginx-keepalive-16", "nginx-defaults", "haproxy-defaults"),
             ["--connections", "100", *API], more=2),
    Scenario("f", "a connection for each request", PEERS, ["--connections", "64", "--close", *API], warmer=3),
    Scenario("e-down", "responses of 1 MiB, 16 connections", PEERS, ["--connections", "16", "--response", MIB, *API], per="MiB", warmer=3),
    Scenario("e-up", "uploads of 1 MiB, 16 connections", PEERS, ["--connections", "16", "--body", MIB, *API], per="MiB", warmer=3),
    Scenario("d", "10,000 connections, 512 requests at a time, 4 KiB", PEERS,
             ["--connections", "10000", "--active", "512", "--response", "4096", *API], fresh=True),
    Scenario("h", "100,000 routes against 10", ("sigma-100000-routes", "sigma-10-routes"), ["--connections", "64"],
             overrides={"sigma-10-routes": ["--path", "/r9/items/%d742", "--paths", "1000"],
                        "sigma-100000-routes": ["--path", "/r9%d7/items/42", "--paths", "1000"]}, fresh=True, more=3),
    Scenario("i", "all plugins of sigma.json on", ("sigma-plugins", "sigma"),
             ["--connections", "64", "--header", "Origin: https://shop.example.com", "--header", "Accept-Encoding: gzip", *API], more=3),
    *(Scenario(f"rate-{percent}", f"fixed rate, {percent} % of the throughput of the slowest proxy", PEERS, ["--connections", "64", *API],
               longer=5, rate_of_slowest=percent / 100) for percent in (10, 20, 50, 80)),
    Scenario("g", "TLS 1.3, 64 connections that stay", PEERS, ["--tls", "--connections", "64", *API], port="tls_port"),
    Scenario("g-resumed", "TLS 1.3, a connection for each request, resumed", PEERS,
             ["--tls", "--resume", "--close", "--connections", "64", *API], port="tls_port", warmer=3),
    Scenario("g-full", "TLS 1.3, a connection for each request, full handshake", PEERS,
             ["--tls", "--close", "--connections", "64", *API], port="tls_port", warmer=3),
    *(Scenario(f"tcp-{n}", f"TCP, {n} connections, 1 KiB there and back", STREAMS, ["--connections", str(n), *PING_PONG])
      for n in (20, 40, 200, 220)),
    Scenario("tcp-rate-50", "TCP, 40 connections, 1 KiB there and back at 50 % of what the slowest does", STREAMS,
             ["--connections", "40", *PING_PONG], longer=5, rate_of_slowest=0.5, rate_from="tcp-40"),
    Scenario("bolt", "Bolt, 8 connections with 100 frames of 1 KiB in progress", ("sigma-bolt", "envoy-tcp", "haproxy-tcp"),
             ["--bolt", "100", "--connections", "8", "--body", "985", "--response", "1004"]),
    Scenario("tls-pass", "TLS passed through by server name, a connection for each request", ("sigma-tls-pass", "haproxy-tls-pass"),
             ["--hello", "--close", "--connections", "64", *API], warmer=3),
    Scenario("tcp-bulk-1", "TCP, 1 connection, 1 MiB at a time", STREAMS, ["--connections", "1", "--response", MIB, *API], per="MiB", warmer=3),
    Scenario("tcp-bulk-64", "TCP, 64 connections, 1 MiB at a time", STREAMS, ["--connections", "64", "--response", MIB, *API], per="MiB", warmer=3),
    Scenario("tcp-idle", "TCP, 10,000 connections, one of them active", STREAMS, ["--connections", "10000", "--active", "1", *PING_PONG], fresh=True),
    Scenario("http2", "HTTP/2 (h2load), 8 connections of 16 streams", PEERS, [], h2load=["-c", "8", "-m", "16"]),
    Scenario("mixed", "70 % small GET, 20 % of 16 KiB, 5 % uploads of 16 KiB, 5 % new connections of TLS", (*PEERS, "caddy", "traefik"),
             ["--connections", "64", *API], mix=True, warmer=2),
    Scenario("mixed-rate-50", "the same at 50 % of the throughput of the slowest proxy", (*PEERS, "caddy", "traefik"),
             ["--connections", "64", *API], mix=True, longer=5, rate_of_slowest=0.5, rate_from="mixed"),
    Scenario("grpc", "gRPC unary (h2load), 8 connections of 16 streams, 100 bytes there and back", CALLS, [],
             h2load=["-c", "8", "-m", "16"], nodes=["--grpc", "1"]),
    Scenario("grpc-stream", "gRPC, 100 messages of 100 bytes in each answer, 8 connections of 16 streams", CALLS, [],
             h2load=["-c", "8", "-m", "16"], nodes=["--grpc", "100"], h2_parts=0.1),
    Scenario("churn", "10 other configurations a second at 20 % of the throughput of the slowest proxy", CHURNED, ["--connections", "64", *API],
             longer=3, rate_of_slowest=0.2, fresh=True, changes=10),
]  # fmt: skip
