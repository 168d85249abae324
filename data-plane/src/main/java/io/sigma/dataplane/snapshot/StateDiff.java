package io.sigma.dataplane.snapshot;

import io.sigma.check.ConsumerCheck;
import io.sigma.check.ResourceCheck;
import io.sigma.check.StateCheck;
import io.sigma.check.StreamCheck;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.model.Route;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks a state in the size of what changed since one that was found to be right. Pure. */
@SuppressWarnings("ReferenceEquality") // An unchanged value is the same object.
final class StateDiff {

    private final ConfigState next;
    private final ConfigState good;
    private final Map<Kind, Set<String>> gone = new EnumMap<>(Kind.class);
    private boolean wrong;

    private StateDiff(ConfigState next, ConfigState good) {
        this.next = next;
        this.good = good;
    }

    /** Returns what is wrong with {@code next}, in the order of {@link StateCheck#check}. */
    static List<FieldError> check(ConfigState next, ConfigState good) {
        StateDiff diff = new StateDiff(next, good);
        ResourceType.ALL.forEach(diff::changed);
        ResourceType.ALL.forEach(diff::dangling);
        diff.together();
        // A complete list of errors is worth a complete check.
        return diff.wrong ? StateCheck.check(next) : List.of();
    }

    private <T> void changed(ResourceType<T> type) {
        next.forEachChange(good, type, (id, before, after) -> {
            if (after == null) {
                gone.computeIfAbsent(type.kind(), kind -> new HashSet<>()).add(id);
                return;
            }
            wrong |= !ResourceCheck.check(after).isEmpty();
            wrong |= after instanceof Route route && StreamCheck.isMisplaced(route, next);
            for (ResourceType.Reference<T> reference : type.references()) {
                Map<String, ?> existing = next.of(ResourceType.of(reference.target()));
                for (ResourceType.Target target : reference.targets().apply(after)) {
                    wrong |= !existing.containsKey(target.id());
                }
            }
        });
    }

    /** Something may still refer to what is gone: only a look at everything that could tells. */
    private <T> void dangling(ResourceType<T> type) {
        for (ResourceType.Reference<T> reference : type.references()) {
            Set<String> ids = gone.getOrDefault(reference.target(), Set.of());
            if (!ids.isEmpty()) {
                next.of(type).values().forEach(value -> {
                    for (ResourceType.Target target : reference.targets().apply(value)) {
                        wrong |= ids.contains(target.id());
                    }
                });
            }
        }
    }

    /** Checks the rules that concern several resources. */
    private void together() {
        if (next.proxyServers() != good.proxyServers()) {
            wrong |= !StateCheck.listeners(next.proxyServers().values()).isEmpty();
        }
        if (next.consumers() != good.consumers()) {
            wrong |= !ConsumerCheck.clashes(next.consumers().values()).isEmpty();
        }
        if (next.proxyServers() != good.proxyServers()
                || next.routers() != good.routers()
                || next.proxyPasses() != good.proxyPasses()) {
            wrong |= !StreamCheck.check(next).isEmpty();
        }
        boolean same = next.proxyServers() == good.proxyServers() && next.certificates() == good.certificates();
        wrong |= !same
                && next.certificates().isEmpty()
                && next.proxyServers().values().stream().anyMatch(StateCheck::needsAnyCertificate);
    }
}
