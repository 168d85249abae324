package io.sigma.controlplane.store;

import io.sigma.model.AuditOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be recorded of one request. Holds no values that were sent, so no secrets.
 *
 * @param who a user, a token, or {@code unknown}
 * @param status of the answer
 * @param revision that it made; null when none
 * @param entities what it concerns, {@code ROUTE/shop-api}
 * @param detail why it was refused; null when it was not
 */
public record AuditEntry(
        String who,
        String address,
        String action,
        AuditOutcome outcome,
        int status,
        @Nullable Long revision,
        List<String> entities,
        @Nullable String detail) {

    private static final int ENTITIES_MAX = 100;
    private static final int DETAIL_LENGTH_MAX = 300;

    public AuditEntry {
        entities = List.copyOf(entities.subList(0, Math.min(entities.size(), ENTITIES_MAX)));
        detail = detail == null ? null : detail.substring(0, Math.min(detail.length(), DETAIL_LENGTH_MAX));
    }

    /** Returns what is recorded of a request that was carried out. */
    public static AuditEntry done(WriteRequest request, int status, @Nullable Long revision, List<String> entities) {
        return new AuditEntry(
                request.author(),
                request.address(),
                request.action(),
                AuditOutcome.DONE,
                status,
                revision,
                entities,
                null);
    }
}
