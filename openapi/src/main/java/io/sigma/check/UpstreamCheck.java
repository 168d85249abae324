package io.sigma.check;

import io.sigma.model.Balancing;
import io.sigma.model.HashKey;
import io.sigma.model.HashSource;
import io.sigma.model.Node;
import io.sigma.model.NodeSubset;
import io.sigma.model.ProxyPass;
import io.sigma.model.SubsetFallback;
import io.sigma.model.Upstream;
import io.sigma.value.NodeUrl;
import io.sigma.value.Tokens;
import org.jspecify.annotations.Nullable;

/** Checks what is said of upstreams. */
final class UpstreamCheck {

    private static final int HOUR_MILLIS = 3_600_000;

    private UpstreamCheck() {}

    static void check(Findings findings, Upstream upstream) {
        nodes(findings, upstream);
        hash(findings, upstream.balancing(), upstream.hash());
        findings.range(upstream.slowStartMillis(), 0, HOUR_MILLIS, "slowStartMillis");
    }

    private static void nodes(Findings findings, Upstream upstream) {
        findings.require(!upstream.nodes().isEmpty(), "[] (expected: at least one node)", "nodes");
        int weights = 0;
        for (int i = 0; i < upstream.nodes().size(); i++) {
            Node node = upstream.nodes().get(i);
            findings.parse(() -> NodeUrl.parse(node.url()), "nodes", i, "url");
            findings.range(node.weight(), 0, 1000, "nodes", i, "weight");
            weights += node.weight();
        }
        boolean reachable = weights > 0 || upstream.nodes().isEmpty();
        findings.require(reachable, "every weight is 0 (expected: at least one node that takes requests)", "nodes");
    }

    private static void hash(Findings findings, Balancing balancing, @Nullable HashKey hash) {
        if (hash == null) {
            return;
        }
        findings.require(balancing == Balancing.HASH, "present (expected: only with balancing HASH)", "hash");
        boolean named = hash.source() != HashSource.CLIENT_ADDRESS;
        String name = hash.name();
        findings.require(named || name == null, "\"" + name + "\" (expected: none for CLIENT_ADDRESS)", "hash", "name");
        findings.require(
                !named || name != null, "absent (expected: the name of the " + hash.source() + ")", "hash", "name");
        boolean token = hash.source() == HashSource.HEADER || hash.source() == HashSource.COOKIE;
        findings.require(
                !token || name == null || Tokens.isToken(name),
                "\"" + name + "\" (expected: a token as of RFC 9110)",
                "hash",
                "name");
        int bound = hash.loadPercentMax();
        findings.require(
                bound == 0 || (bound > 100 && bound <= 10_000),
                bound + " (expected: 0 or 101..10000)",
                "hash",
                "loadPercentMax");
    }

    static void subset(Findings findings, ProxyPass pass) {
        NodeSubset subset = pass.subset();
        if (subset == null) {
            return;
        }
        findings.require(pass.upstreamId() != null, "present (expected: only with upstreamId)", "subset");
        findings.require(
                !subset.metadata().isEmpty(), "{} (expected: at least one value to select by)", "subset", "metadata");
        boolean wanted = subset.fallback() == SubsetFallback.DEFAULT;
        boolean present = !subset.fallbackMetadata().isEmpty();
        findings.require(
                wanted == present,
                present
                        ? "present (expected: only with fallback DEFAULT)"
                        : "absent (expected: the subset to fall back to)",
                "subset",
                "fallbackMetadata");
    }
}
