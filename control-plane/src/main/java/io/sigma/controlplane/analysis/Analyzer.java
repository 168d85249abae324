package io.sigma.controlplane.analysis;

import io.sigma.check.ResourcePlugins;
import io.sigma.model.Certificate;
import io.sigma.model.Consumer;
import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Referrer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.Severity;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows a configuration from state to state and keeps its findings. Looks again at what changed and at what
 * stands near to that, so that a small change of a large state is a small piece of work. Not thread-safe.
 */
final class Analyzer {

    private final References references = new References();
    private final PluginUse plugins = new PluginUse();
    private final CertificateFacts certificates = new CertificateFacts();
    private final RouteIndex routes = new RouteIndex();
    private final Map<Referrer, List<Finding>> found = new HashMap<>();
    private final Map<Severity, Integer> counts = new EnumMap<>(Severity.class);

    /** A sum over all findings: it differs when they do. */
    private long mark;

    private ConfigState state = ConfigState.empty();

    /**
     * Moves on to {@code next} and returns the findings that are new with it, in no order.
     *
     * @param known what leads there from the state before; null when that is to be found out
     */
    List<Finding> update(ConfigState next, @Nullable List<EntityChange> known, Instant now) {
        List<StateChange> changes =
                known == null ? StateChange.between(state, next) : StateChange.of(known, state, next);
        state = next;
        int ways = plugins.ways();
        for (StateChange change : changes) {
            references.change(change.type(), change.id(), change.before(), change.after());
            plugins.change(change.type().kind(), change.id(), ResourcePlugins.of(change.after()));
        }
        Facts facts = new Facts(next, references, plugins, certificates, now);
        Set<Referrer> again = new LinkedHashSet<>();
        changes.forEach(change -> Neighbours.of(facts, change, again));
        if (ways != plugins.ways()) {
            next.consumers().keySet().forEach(id -> again.add(new Referrer(Kind.CONSUMER, id)));
        }
        routes.change(next, changes, again);
        return look(facts, again);
    }

    /**
     * Returns the findings that {@code changes} would bring, in no order; afterwards everything is as it was before.
     */
    List<Finding> attempt(List<EntityChange> changes, Instant now) {
        ConfigState current = state;
        List<Finding> added = update(current.with(changes), changes, now);
        update(current, changes, now);
        return added;
    }

    /** Looks again at what depends on the time; returns the findings that are new. */
    List<Finding> tick(Instant now) {
        Facts facts = new Facts(state, references, plugins, certificates, now);
        Set<Referrer> again = new LinkedHashSet<>();
        state.certificates().keySet().forEach(id -> again.add(new Referrer(Kind.CERTIFICATE, id)));
        return look(facts, again);
    }

    /** Returns all findings, in no order. */
    Collection<List<Finding>> findings() {
        return found.values();
    }

    /** Returns how many findings of a severity there are. */
    int count(Severity severity) {
        return counts.getOrDefault(severity, 0);
    }

    /** Returns a number that is the same in every process for the same findings, and else another one. */
    long mark() {
        return mark;
    }

    private void count(Finding finding, int sign) {
        counts.merge(finding.severity(), sign, Integer::sum);
        // Not the hash of the record: that of an enum is another one in each process.
        String text = finding.rule() + ' ' + finding.kind() + ' ' + finding.id() + ' ' + finding.pointer() + ' ';
        mark += sign * (31L * text.hashCode() + finding.detail().hashCode());
    }

    private List<Finding> look(Facts facts, Set<Referrer> again) {
        List<Finding> added = new ArrayList<>();
        for (Referrer one : again) {
            List<Finding> now = look(facts, one);
            List<Finding> before = now.isEmpty() ? found.remove(one) : found.put(one, now);
            now.forEach(finding -> count(finding, 1));
            if (before != null) {
                before.forEach(finding -> count(finding, -1));
            }
            for (Finding finding : now) {
                if (before == null || !before.contains(finding)) {
                    added.add(finding);
                }
            }
        }
        return added;
    }

    private List<Finding> look(Facts facts, Referrer one) {
        ResourceType<?> type = ResourceType.of(one.kind());
        Object resource = facts.state().of(type).get(one.id());
        if (resource == null) {
            if (one.kind() == Kind.CERTIFICATE) {
                certificates.forget(one.id());
            }
            return List.of();
        }
        List<Finding> now = new ArrayList<>(0);
        switch (resource) {
            case ProxyServer server -> ServerRules.check(facts, server, now::add);
            case Router router -> ServerRules.check(facts, router, now::add);
            case Route route -> routes.check(route, now::add);
            case ProxyPass pass -> PassRules.check(facts, pass, now::add);
            case Upstream upstream -> UpstreamRules.check(facts, upstream, now::add);
            case Certificate certificate -> CertificateRules.check(facts, certificate, now::add);
            case Consumer consumer -> ConsumerRules.check(facts, consumer, now::add);
            default -> throw new IllegalStateException("no rules: " + resource.getClass());
        }
        PluginRules.check(facts, type, one.id(), resource, now::add);
        return now.isEmpty() ? List.of() : now;
    }
}
