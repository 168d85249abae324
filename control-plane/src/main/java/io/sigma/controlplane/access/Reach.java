package io.sigma.controlplane.access;

import io.sigma.model.Kind;
import io.sigma.snapshot.ResourceType;
import java.util.Map;
import java.util.Objects;

/** The influence of a resource on another one that it refers to, for an author who may change only the first. */
public enum Reach {
    /**
     * It takes part in what the other does: a route takes traffic of its router. Before and after, the other must be
     * theirs.
     */
    CONTAINED,
    /**
     * It lets the other act for it, with its secrets, rights and health: a certificate is presented, and calls that
     * fail open the circuit of an upstream. After, the other must be theirs.
     */
    LENT;

    private static final Map<String, Reach> ALL = Map.of(
            name(Kind.ROUTE, "routerId"), CONTAINED,
            name(Kind.ROUTER, "proxyServerId"), CONTAINED,
            name(Kind.ROUTE, "proxyPassId"), LENT,
            name(Kind.ROUTER, "proxyPassId"), LENT,
            name(Kind.PROXY_SERVER, "certificates"), LENT,
            name(Kind.UPSTREAM, "certificateId"), LENT,
            name(Kind.PROXY_PASS, "upstreamId"), LENT);

    /** Returns the reach of a reference; each has one. */
    static Reach of(Kind kind, ResourceType.Reference<?> reference) {
        return Objects.requireNonNull(
                ALL.get(name(kind, reference.field())), () -> "no reach for " + kind + "." + reference.field());
    }

    private static String name(Kind kind, String field) {
        return kind + "." + field;
    }
}
