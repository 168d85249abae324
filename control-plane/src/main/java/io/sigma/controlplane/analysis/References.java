package io.sigma.controlplane.analysis;

import io.sigma.model.Kind;
import io.sigma.model.Referrer;
import io.sigma.snapshot.ResourceType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The resources that refer to a resource. Confined to the analysis. */
final class References {

    private final Map<Referrer, Set<Referrer>> referrers = new HashMap<>();

    /** Notes that a resource is no longer, or not yet, as one of the two. */
    <T> void change(ResourceType<T> type, String id, @Nullable Object before, @Nullable Object after) {
        Referrer own = new Referrer(type.kind(), id);
        for (Referrer target : targets(type, before)) {
            Set<Referrer> others = referrers.get(target);
            if (others != null && others.remove(own) && others.isEmpty()) {
                referrers.remove(target);
            }
        }
        for (Referrer target : targets(type, after)) {
            referrers.computeIfAbsent(target, key -> new HashSet<>(2)).add(own);
        }
    }

    /** Returns what a resource refers to, each once. */
    static <T> Set<Referrer> targets(ResourceType<T> type, @Nullable Object resource) {
        Set<Referrer> targets = new LinkedHashSet<>();
        if (resource != null) {
            for (ResourceType.Reference<T> reference : type.references()) {
                for (ResourceType.Target target : reference.targets().apply(type.cast(resource))) {
                    targets.add(new Referrer(reference.target(), target.id()));
                }
            }
        }
        return targets;
    }

    /** Returns who refers to a resource, in no order. */
    Set<Referrer> to(Kind kind, String id) {
        return referrers.getOrDefault(new Referrer(kind, id), Set.of());
    }
}
