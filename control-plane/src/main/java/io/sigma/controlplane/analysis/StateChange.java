package io.sigma.controlplane.analysis;

import io.sigma.model.Referrer;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The change of one resource between two states. */
record StateChange(
        ResourceType<?> type,
        String id,
        @Nullable Object before,
        @Nullable Object after) {

    /** Returns what differs, when {@code changes} lead from one state to the other. */
    static List<StateChange> of(List<EntityChange> changes, ConfigState from, ConfigState to) {
        Set<Referrer> ids = new LinkedHashSet<>();
        changes.forEach(change -> ids.add(new Referrer(change.kind(), change.id())));
        List<StateChange> different = new ArrayList<>();
        for (Referrer one : ids) {
            ResourceType<?> type = ResourceType.of(one.kind());
            Object before = from.of(type).get(one.id());
            Object after = to.of(type).get(one.id());
            if (!Objects.equals(before, after)) {
                different.add(new StateChange(type, one.id(), before, after));
            }
        }
        return different;
    }

    /** Returns what differs. */
    @SuppressWarnings("ReferenceEquality") // States share the resources, and the kinds, that did not change.
    static List<StateChange> between(ConfigState from, ConfigState to) {
        List<StateChange> changes = new ArrayList<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            Map<String, ?> before = from.of(type);
            Map<String, ?> after = to.of(type);
            if (before == after) {
                continue;
            }
            after.forEach((id, value) -> {
                Object old = before.get(id);
                if (old != value && !value.equals(old)) {
                    changes.add(new StateChange(type, id, old, value));
                }
            });
            before.forEach((id, value) -> {
                if (!after.containsKey(id)) {
                    changes.add(new StateChange(type, id, value, null));
                }
            });
        }
        return changes;
    }
}
