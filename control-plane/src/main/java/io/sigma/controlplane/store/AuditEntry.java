package io.sigma.controlplane.store;

import io.sigma.model.AuditOutcome;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The audit record of one request. It contains no values of the request, so no secrets, except the reasons that people
 * give.
 *
 * @param who a user, a token, or {@code unknown}
 * @param status the HTTP status of the answer
 * @param revision that it made; null when none
 * @param entities the resources that it concerns, {@code ROUTE/shop-api}
 * @param detail why it was refused or, as far as that was said, done; null when there is nothing to say
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

    /**
     * Characters that a line of the log must not contain: control characters (PostgreSQL refuses NUL), invisible
     * characters, unpaired surrogates.
     */
    private static final Pattern NO_TEXT = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

    private static final int ENTITIES_MAX = 100;
    private static final int DETAIL_LENGTH_MAX = 500;

    public AuditEntry {
        who = text(who);
        address = text(address);
        action = text(action);
        entities = entities.stream().limit(ENTITIES_MAX).map(AuditEntry::text).toList();
        detail = detail == null ? null : text(detail.substring(0, Math.min(detail.length(), DETAIL_LENGTH_MAX)));
    }

    /** Whatever was sent, there is a record of it: so nothing that the database might refuse gets this far. */
    private static String text(String any) {
        return NO_TEXT.matcher(any).replaceAll("?");
    }

    /** Returns this as it is recorded later than it happened. */
    public AuditEntry late(Instant at) {
        String when = "(at " + at.truncatedTo(ChronoUnit.SECONDS) + ", recorded later)";
        String said = detail == null
                ? when
                : detail.substring(0, Math.min(detail.length(), DETAIL_LENGTH_MAX - when.length() - 1)) + " " + when;
        return new AuditEntry(who, address, action, outcome, status, revision, entities, said);
    }

    /** Returns what is recorded of a request that was carried out. */
    public static AuditEntry done(WriteRequest request, int status, @Nullable Long revision, List<String> entities) {
        return done(request, status, revision, entities, null);
    }

    /**
     * As the other.
     *
     * @param reason that was given for it; null for none
     */
    public static AuditEntry done(
            WriteRequest request, int status, @Nullable Long revision, List<String> entities, @Nullable String reason) {
        return new AuditEntry(
                request.author(),
                request.address(),
                request.action(),
                AuditOutcome.DONE,
                status,
                revision,
                entities,
                reason);
    }
}
