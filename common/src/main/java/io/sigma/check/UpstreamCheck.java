package io.sigma.check;

import io.sigma.model.Balancing;
import io.sigma.model.CircuitBreaker;
import io.sigma.model.ClientTls;
import io.sigma.model.HashKey;
import io.sigma.model.HashSource;
import io.sigma.model.Node;
import io.sigma.model.NodeSubset;
import io.sigma.model.OutlierDetection;
import io.sigma.model.Pool;
import io.sigma.model.ProxyPass;
import io.sigma.model.SubsetFallback;
import io.sigma.model.Upstream;
import io.sigma.model.UpstreamLimits;
import io.sigma.value.Addresses;
import io.sigma.value.CertifiedKey;
import io.sigma.value.Mismatch;
import io.sigma.value.NodeUrl;
import io.sigma.value.Tokens;
import javax.net.ssl.SNIHostName;
import org.jspecify.annotations.Nullable;

/** Checks what is said of upstreams. */
final class UpstreamCheck {

    private static final int HOUR_MILLIS = 3_600_000;

    private UpstreamCheck() {}

    static void check(Findings findings, Upstream upstream) {
        nodes(findings, upstream);
        hash(findings, upstream.balancing(), upstream.hash());
        findings.range(upstream.slowStartMillis(), 0, HOUR_MILLIS, "slowStartMillis");
        findings.range(upstream.panicThresholdPercent(), 0, 100, "panicThresholdPercent");
        if (upstream.healthCheck() != null) {
            HealthCheckCheck.check(findings, upstream.healthCheck());
        }
        if (upstream.outlierDetection() != null) {
            outliers(findings, upstream.outlierDetection());
        }
        limits(findings, upstream.limits());
        Pool pool = upstream.pool();
        findings.range(pool.idleMin(), 0, pool.connectionsMax(), "pool", "idleMin");
        findings.require(
                upstream.proxyProtocol() == null || pool.idleMin() == 0,
                Mismatch.of(pool.idleMin(), "0, because with proxyProtocol each connection belongs to one client"),
                "pool",
                "idleMin");
        tls(findings, upstream.tls());
        DiscoveryCheck.check(findings, upstream.discovery());
    }

    private static void tls(Findings findings, ClientTls tls) {
        if (tls.ca() != null) {
            findings.parse(() -> CertifiedKey.chain(tls.ca()), "tls", "ca");
        }
        String name = tls.serverName();
        findings.require(
                name == null || isServerName(name),
                Mismatch.quoted(name, "a host name of letters, digits and hyphens"),
                "tls",
                "serverName");
    }

    /** Returns true if TLS can ask for the name (RFC 6066 §3). Any other name would fail each handshake. */
    private static boolean isServerName(String name) {
        try {
            return Locations.isAddressOrName(name)
                    && !Addresses.isIpv6(name)
                    && !new SNIHostName(name).getAsciiName().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void nodes(Findings findings, Upstream upstream) {
        boolean isStatic = DiscoveryCheck.isStatic(upstream.discovery());
        findings.require(!isStatic || !upstream.nodes().isEmpty(), Mismatch.of("[]", "at least one node"), "nodes");
        findings.require(
                isStatic || upstream.nodes().isEmpty(), Mismatch.present("none where nodes are discovered"), "nodes");
        int weights = 0;
        for (int i = 0; i < upstream.nodes().size(); i++) {
            Node node = upstream.nodes().get(i);
            findings.parse(() -> NodeUrl.parse(node.url()), "nodes", i, "url");
            findings.range(node.weight(), 0, 1000, "nodes", i, "weight");
            weights += node.weight();
        }
        boolean reachable = weights > 0 || upstream.nodes().isEmpty();
        findings.require(reachable, Mismatch.of("every weight is 0", "at least one node that takes requests"), "nodes");
    }

    private static void outliers(Findings findings, OutlierDetection detection) {
        String at = "outlierDetection";
        findings.range(detection.consecutiveFailures(), 0, 1000, at, "consecutiveFailures");
        findings.range(detection.failurePercent(), 0, 100, at, "failurePercent");
        int factor = detection.latencyFactor();
        findings.require(
                factor == 0 || (factor >= 2 && factor <= 1000),
                Mismatch.of(factor, "0 or 2..1000"),
                at,
                "latencyFactor");
        findings.range(detection.windowMillis(), 100, 600_000, at, "windowMillis");
        findings.range(detection.requestsMin(), 1, 1_000_000, at, "requestsMin");
        findings.range(detection.ejectionMillis(), 100, HOUR_MILLIS, at, "ejectionMillis");
        findings.range(detection.ejectionMillisMax(), detection.ejectionMillis(), 86_400_000, at, "ejectionMillisMax");
        findings.range(detection.ejectedPercentMax(), 0, 100, at, "ejectedPercentMax");
    }

    private static void limits(Findings findings, UpstreamLimits limits) {
        findings.range(limits.requestsMax(), 0, 10_000_000, "limits", "requestsMax");
        findings.range(limits.retriesMax(), 1, 100_000, "limits", "retriesMax");
        findings.range(limits.retryPercentMax(), 0, 100, "limits", "retryPercentMax");
        findings.range(limits.retriesPerSecondMin(), 0, 10_000, "limits", "retriesPerSecondMin");
        CircuitBreaker breaker = limits.circuitBreaker();
        if (breaker != null) {
            findings.range(breaker.failurePercent(), 1, 100, "limits", "circuitBreaker", "failurePercent");
            findings.range(breaker.requestsMin(), 1, 1_000_000, "limits", "circuitBreaker", "requestsMin");
            findings.range(breaker.windowMillis(), 100, 600_000, "limits", "circuitBreaker", "windowMillis");
            findings.range(breaker.openMillis(), 100, HOUR_MILLIS, "limits", "circuitBreaker", "openMillis");
            findings.range(breaker.probeRequests(), 1, 1000, "limits", "circuitBreaker", "probeRequests");
        }
    }

    private static void hash(Findings findings, Balancing balancing, @Nullable HashKey hash) {
        if (hash == null) {
            return;
        }
        findings.require(balancing == Balancing.HASH, Mismatch.present("only with balancing HASH"), "hash");
        boolean named = switch (hash.source()) {
            case HEADER, COOKIE, QUERY -> true;
            case CLIENT_ADDRESS, CLIENT_ADDRESS_AND_PORT, SERVER_NAME -> false;
        };
        String name = hash.name();
        findings.require(named || name == null, Mismatch.quoted(name, "none for " + hash.source()), "hash", "name");
        findings.require(!named || name != null, Mismatch.absent("the name of the " + hash.source()), "hash", "name");
        boolean token = hash.source() == HashSource.HEADER || hash.source() == HashSource.COOKIE;
        findings.require(
                !token || name == null || Tokens.isToken(name),
                Mismatch.quoted(name, "a token as defined by RFC 9110"),
                "hash",
                "name");
        int bound = hash.loadPercentMax();
        findings.require(
                bound == 0 || (bound > 100 && bound <= 10_000),
                Mismatch.of(bound, "0 or 101..10000"),
                "hash",
                "loadPercentMax");
    }

    static void subset(Findings findings, ProxyPass pass) {
        NodeSubset subset = pass.subset();
        if (subset == null) {
            return;
        }
        findings.require(pass.upstreamId() != null, Mismatch.present("only with upstreamId"), "subset");
        findings.require(
                !subset.metadata().isEmpty(),
                Mismatch.of("{}", "at least one value to select by"),
                "subset",
                "metadata");
        boolean wanted = subset.fallback() == SubsetFallback.DEFAULT;
        boolean present = !subset.fallbackMetadata().isEmpty();
        findings.require(
                wanted == present,
                present
                        ? Mismatch.present("only with fallback DEFAULT")
                        : Mismatch.absent("the subset to fall back to"),
                "subset",
                "fallbackMetadata");
    }
}
