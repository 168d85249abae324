package io.sigma.controlplane.analysis;

import io.sigma.json.JsonPointer;
import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.NodeSubset;
import io.sigma.model.ProxyPass;
import io.sigma.model.Referrer;
import io.sigma.model.Retry;
import io.sigma.model.SubsetFallback;
import io.sigma.model.Timeouts;
import io.sigma.model.Upstream;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Looks at proxy passes. */
final class PassRules {

    /** RFC 9110 §9.2.2 and RFC 4918: done twice, they do no more than once. */
    private static final Set<String> IDEMPOTENT = Set.of(
            "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "SEARCH", "UNLOCK", "PURGE");

    private PassRules() {}

    static void check(Facts facts, ProxyPass pass, Consumer<Finding> found) {
        String id = String.valueOf(pass.id());
        if (facts.references().to(Kind.PROXY_PASS, id).isEmpty()) {
            found.accept(Rule.PROXY_PASS_UNUSED.found(Kind.PROXY_PASS, id, "", "No route names it."));
        }
        if (pass.upstreamId() != null || pass.split() != null) {
            retries(pass.retry(), id, found);
            timeouts(pass, id, found);
        }
        subset(facts, pass, id, found);
    }

    private static void retries(Retry retry, String id, Consumer<Finding> found) {
        for (int i = 0; retry.attemptsMax() > 1 && i < retry.methods().size(); i++) {
            String method = retry.methods().get(i);
            if (!IDEMPOTENT.contains(method)) {
                found.accept(Rule.RETRY_UNSAFE.found(
                        Kind.PROXY_PASS,
                        id,
                        JsonPointer.of("retry", "methods", i),
                        "The gateway may send " + method + " up to " + retry.attemptsMax()
                                + " times. A node may have executed it already, so an order could be placed twice."));
            }
        }
    }

    private static void timeouts(ProxyPass pass, String id, Consumer<Finding> found) {
        Timeouts timeouts = pass.timeouts();
        Integer total = timeouts.totalMillis();
        if (total == null) {
            return;
        }
        if (total < timeouts.connectMillis()) {
            found.accept(contradiction(
                    id,
                    total,
                    "connectMillis " + timeouts.connectMillis(),
                    "the gateway never waits so long for a connection"));
        }
        // A default does not contradict a value that a user set.
        boolean chosen =
                !timeouts.responseMillis().equals(Timeouts.builder().build().responseMillis());
        if (chosen && total < timeouts.responseMillis()) {
            found.accept(contradiction(
                    id,
                    total,
                    "responseMillis " + timeouts.responseMillis(),
                    "the gateway never waits so long for an answer"));
        }
        Integer each = pass.retry().perTryMillis();
        if (each != null && pass.retry().attemptsMax() > 1 && total <= each) {
            found.accept(contradiction(
                    id, total, "perTryMillis " + each + " of retry", "there is no time for a second try"));
        }
    }

    private static Finding contradiction(String id, int total, String other, String consequence) {
        return Rule.TIMEOUTS_CONTRADICT.found(
                Kind.PROXY_PASS,
                id,
                JsonPointer.of("timeouts", "totalMillis"),
                "totalMillis " + total + " is not more than " + other + ": " + consequence + ".");
    }

    private static void subset(Facts facts, ProxyPass pass, String id, Consumer<Finding> found) {
        NodeSubset subset = pass.subset();
        Upstream upstream =
                pass.upstreamId() == null ? null : facts.state().upstreams().get(pass.upstreamId());
        if (subset == null || upstream == null || upstream.nodes().isEmpty()) {
            return;
        }
        missing(upstream, subset.metadata(), subset.fallback() == SubsetFallback.NONE, "metadata", id, found);
        if (subset.fallback() == SubsetFallback.DEFAULT) {
            missing(upstream, subset.fallbackMetadata(), true, "fallbackMetadata", id, found);
        }
    }

    private static void missing(
            Upstream upstream,
            Map<String, String> metadata,
            boolean matters,
            String field,
            String id,
            Consumer<Finding> found) {
        boolean some = upstream.nodes().stream()
                .anyMatch(node -> node.metadata().entrySet().containsAll(metadata.entrySet()));
        if (matters && !some) {
            found.accept(Rule.SUBSET_WITHOUT_NODE.found(
                    Kind.PROXY_PASS,
                    id,
                    JsonPointer.of("subset", field),
                    "No node of upstream \"" + upstream.id() + "\" has " + metadata
                            + ", so such requests are answered 503.",
                    new Referrer(Kind.UPSTREAM, String.valueOf(upstream.id()))));
        }
    }
}
