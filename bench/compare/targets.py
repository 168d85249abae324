"""What is asked for: the bounds and the goals of the comparison. Those of a cold start and of a process at rest are in cold.py."""

# Scenario, what is compared, how it is found, whether less is better, the least that is asked for, the goal.
TARGETS = [
    *((f"rate-{percent}", "processor time per request ÷ nginx", ("ratio", "nginx", "micros"), True, 1.0, 0.75) for percent in (10, 20, 50, 80)),
    *((f"rate-{percent}", f"{title} ÷ nginx", ("ratio", "nginx", key), True, 1.1, 0.9)
      for percent in (20, 50, 80) for key, title in (("p99", "p99"), ("p999", "p99.9"))),
    ("a", "processor time per request ÷ nginx", ("ratio", "nginx", "micros"), True, 0.70, 0.5),
    ("a", "processor time per request ÷ HAProxy", ("ratio", "haproxy", "micros"), True, 0.65, 0.45),
    ("a", "processor time per request ÷ pingora", ("ratio", "pingora", "micros"), True, 0.6, 0.4),
    ("a", "processor time per request ÷ Envoy", ("ratio", "envoy", "micros"), True, 0.35, 0.28),
    ("b", "requests per processor second ÷ nginx", ("inverse", "nginx", "micros"), False, 1.4, 1.6),
    ("c", "throughput ÷ nginx without keep-alive to nodes", ("ratio", "nginx-defaults", "requestsPerSecond"), False, 4, 5),
    ("c", "throughput ÷ nginx with keepalive 16", ("ratio", "nginx-keepalive-16", "requestsPerSecond"), False, 1.3, 1.5),
    ("c", "throughput ÷ HAProxy with its defaults", ("ratio", "haproxy-defaults", "requestsPerSecond"), False, 1.2, 1.4),
    ("d", "growth of memory with 10,000 connections, MiB", ("own", "sigma", "residentGrowthMiB"), True, 150, 80),
    ("d", "errors", ("own", "sigma", "errors"), True, 0, 0),
    ("e-down", "bytes per processor second ÷ nginx, responses", ("inverse", "nginx", "micros"), False, 1.0, 1.2),
    ("e-up", "bytes per processor second ÷ nginx, uploads", ("inverse", "nginx", "micros"), False, 1.0, 1.2),
    ("f", "requests per processor second ÷ nginx", ("inverse", "nginx", "micros"), False, 1.0, 1.2),
    ("g", "requests per processor second ÷ nginx, connections that stay", ("inverse", "nginx", "micros"), False, 0.9, 1.1),
    ("g-resumed", "requests per processor second ÷ nginx, resumed", ("inverse", "nginx", "micros"), False, 0.9, 1.1),
    ("g-full", "requests per processor second ÷ nginx, full handshakes", ("inverse", "nginx", "micros"), False, 0.9, 1.1),
    ("h", "time per request with 100,000 routes ÷ with 10", ("ratio", "sigma-10-routes", "micros"), True, 1.05, 1.02),
    ("i", "time per request with all plugins ÷ without", ("ratio", "sigma", "micros"), True, 1.25, 1.1),
    *((f"tcp-{n}", f"round trips per processor second ÷ {title}, {n} connections", ("inverse", name, "micros"), False, least, goal)
      for n in (20, 40, 200, 220)
      for name, title, least, goal in (("envoy-tcp", "Envoy", 1.5, 3), ("haproxy-tcp", "HAProxy", 1.1, 1.8), ("nginx-stream", "nginx stream", 1.1, 1.8))),
    ("tcp-rate-50", "processor time per round trip ÷ HAProxy, 40 connections at a fixed rate", ("ratio", "haproxy-tcp", "micros"), True, 1.0, 0.8),
    ("tcp-rate-50", "p99 ÷ HAProxy", ("ratio", "haproxy-tcp", "p99"), True, 1.0, 0.8),
    ("bolt", "frames per processor second ÷ Envoy tcp_proxy on the same bytes", ("inverse", "envoy-tcp", "micros"), False, 1.0, 2),
    ("tls-pass", "connections per processor second ÷ HAProxy, TLS passed through", ("inverse", "haproxy-tls-pass", "micros"), False, 1.0, 1.3),
    ("tcp-bulk-1", "bytes per processor second ÷ HAProxy, 1 connection of TCP", ("inverse", "haproxy-tcp", "micros"), False, 1.0, 1.3),
    ("tcp-bulk-64", "bytes per processor second ÷ HAProxy, 64 connections of TCP", ("inverse", "haproxy-tcp", "micros"), False, 1.0, 1.3),
    ("tcp-idle", "growth of memory with 10,000 connections of TCP, MiB", ("own", "sigma-tcp", "residentGrowthMiB"), True, 100, 40),
    ("http2", "processor time per request ÷ nginx", ("ratio", "nginx", "micros"), True, 1.3, 1.0),
    *((key, "processor time per request ÷ nginx", ("ratio", "nginx", "micros"), True, 0.85, 0.6) for key in ("mixed", "mixed-rate-50")),
    *((key, "p99 ÷ nginx", ("ratio", "nginx", "p99"), True, 1.1, 0.9) for key in ("mixed", "mixed-rate-50")),
    ("grpc", "processor time per call ÷ nginx", ("ratio", "nginx-grpc", "micros"), True, 1.0, 0.7),
    ("grpc", "processor time per call ÷ Envoy", ("ratio", "envoy-grpc", "micros"), True, 0.5, 0.35),
    ("churn", "errors", ("own", "sigma-churn", "errors"), True, 0, 0),
]  # fmt: skip

# Bytes that a request may allocate in these scenarios.
ALLOCATED = {"a": (0, 0), "mixed": (200, 64), "http2": (500, 200)}
