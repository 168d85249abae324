package io.sigma.dataplane.snapshot;

import io.sigma.check.ConsumerCheck;
import io.sigma.check.ResourceCheck;
import io.sigma.check.StateCheck;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks a state in the size of what changed since one that was found to be right. Pure. */
@SuppressWarnings("ReferenceEquality") // What did not change is mostly the same object.
final class StateDiff {

    private StateDiff() {}

    /** Returns what is wrong with {@code next}, in the order of {@link StateCheck#check}. */
    static List<FieldError> check(ConfigState next, ConfigState good) {
        boolean shrunk = false;
        List<FieldError> errors = new ArrayList<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            Map<String, ?> now = next.of(type);
            Map<String, ?> before = good.of(type);
            shrunk |= now != before && !now.keySet().containsAll(before.keySet());
            if (now != before) {
                changed(type, next, good, errors);
            }
        }
        boolean clash = !StateCheck.listeners(next.proxyServers().values()).isEmpty();
        clash |= next.consumers() != good.consumers()
                && !ConsumerCheck.clashes(next.consumers().values()).isEmpty();
        // Something may refer to what is gone, and a complete list of errors is worth a complete check.
        return shrunk || clash || !errors.isEmpty() ? StateCheck.check(next) : List.of();
    }

    private static <T> void changed(ResourceType<T> type, ConfigState next, ConfigState good, List<FieldError> errors) {
        Map<String, T> before = good.of(type);
        next.of(type).forEach((id, value) -> {
            T known = before.get(id);
            if (known == value || value.equals(known)) {
                return;
            }
            errors.addAll(ResourceCheck.check(value));
            for (ResourceType.Reference<T> reference : type.references()) {
                Map<String, ?> existing = next.of(ResourceType.of(reference.target()));
                for (ResourceType.Target target : reference.targets().apply(value)) {
                    if (!existing.containsKey(target.id())) {
                        errors.add(new FieldError(JsonPointer.of(type.field(), id), target.id()));
                    }
                }
            }
        });
    }
}
