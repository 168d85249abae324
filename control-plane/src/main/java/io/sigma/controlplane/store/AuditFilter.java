package io.sigma.controlplane.store;

import io.sigma.controlplane.store.database.DatabaseTimes;
import io.sigma.model.AuditKind;
import io.sigma.model.AuditOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A filter of audit records; a null field matches all. Immutable. */
public record AuditFilter(
        @Nullable String who,
        @Nullable String action,
        @Nullable AuditOutcome outcome,
        @Nullable AuditKind kind,
        @Nullable String id,
        @Nullable Instant from,
        @Nullable Instant to) {

    /** Lets every record through. */
    public static final AuditFilter NONE = new AuditFilter(null, null, null, null, null, null, null);

    /** A condition with the parameters that it refers to. */
    record Sql(String where, List<Object> parameters) {}

    /** Returns the condition; its parameters are numbered after the {@code before} that the statement has already. */
    Sql sql(int before) {
        List<Object> parameters = new ArrayList<>();
        StringBuilder where = new StringBuilder();
        and(where, parameters, before, "who = $", who);
        and(where, parameters, before, "action = $", action);
        and(where, parameters, before, "outcome = $", outcome == null ? null : outcome.name());
        and(where, parameters, before, "at >= $", from == null ? null : DatabaseTimes.of(from));
        and(where, parameters, before, "at < $", to == null ? null : DatabaseTimes.of(to));
        if (kind != null && id != null) {
            and(where, parameters, before, "entities @> array[$", kind + "/" + id, "::text]");
        } else if (kind != null) {
            String some = "exists (select from unnest(entities) as entity where starts_with(entity, $";
            and(where, parameters, before, some, kind + "/", "))");
        } else if (id != null) {
            String some = "exists (select from unnest(entities) as entity where split_part(entity, '/', 2) = $";
            and(where, parameters, before, some, id, ")");
        }
        return new Sql(where.toString(), parameters);
    }

    private static void and(
            StringBuilder where, List<Object> parameters, int before, String condition, @Nullable Object value) {
        and(where, parameters, before, condition, value, "");
    }

    private static void and(
            StringBuilder where,
            List<Object> parameters,
            int before,
            String condition,
            @Nullable Object value,
            String end) {
        if (value != null) {
            parameters.add(value);
            where.append(" and ")
                    .append(condition)
                    .append(before + parameters.size())
                    .append(end);
        }
    }
}
