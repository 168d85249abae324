package io.sigma.controlplane.analysis;

import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.Referrer;
import io.sigma.model.Severity;
import java.util.List;
import java.util.Locale;

/**
 * The rules of the analysis; {@code docs/analysis.md} describes each. Findings on one resource are shown in this order.
 */
enum Rule {
    REFUSED_BY_GATEWAYS(Severity.ERROR),
    ROUTE_NEVER_MATCHES(Severity.ERROR),
    ROUTE_SHADOWED(Severity.WARNING),
    ROUTE_AMBIGUOUS(Severity.WARNING),
    ROUTER_WITHOUT_ROUTES(Severity.WARNING),
    ROUTER_DISABLED(Severity.INFO),
    PROXY_SERVER_WITHOUT_ROUTERS(Severity.WARNING),
    PROXY_SERVER_DISABLED(Severity.INFO),
    PROXY_PASS_UNUSED(Severity.INFO),
    RETRY_UNSAFE(Severity.WARNING),
    TIMEOUTS_CONTRADICT(Severity.WARNING),
    SUBSET_WITHOUT_NODE(Severity.ERROR),
    UPSTREAM_UNUSED(Severity.INFO),
    UPSTREAM_WITHOUT_NODE(Severity.ERROR),
    UPSTREAM_IS_LISTENER(Severity.WARNING),
    UPSTREAM_UNCHECKED(Severity.INFO),
    TLS_UNVERIFIED(Severity.WARNING),
    CONSUMER_UNUSED(Severity.INFO),
    CERTIFICATE_UNUSED(Severity.INFO),
    CERTIFICATE_EXPIRED(Severity.ERROR),
    CERTIFICATE_EXPIRING(Severity.WARNING),
    CERTIFICATE_NOT_FOR_HOST(Severity.WARNING),
    PLUGIN_NEVER_RUNS(Severity.WARNING),
    ACL_WITHOUT_AUTHENTICATION(Severity.ERROR),
    ACL_UNKNOWN(Severity.WARNING);

    private final Severity severity;

    Rule(Severity severity) {
        this.severity = severity;
    }

    Severity severity() {
        return severity;
    }

    /** Returns its name in answers and in the documentation: {@code route-shadowed}. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the rule with that name. */
    static Rule of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Returns a finding of this rule. */
    Finding found(Kind kind, String id, String pointer, String detail, Referrer... others) {
        return new Finding(severity, id(), kind, id, pointer, detail, List.of(others));
    }
}
