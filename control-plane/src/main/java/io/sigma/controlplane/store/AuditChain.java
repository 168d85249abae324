package io.sigma.controlplane.store;

import io.sigma.model.AuditRecord;
import io.sigma.value.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoField;
import org.jspecify.annotations.Nullable;

/**
 * The hash of an audit record: SHA-256 over the hash before and every field, each with its length in bytes. Written a
 * second time here, apart from the database function that appends, so that what verifies is not what is verified. Pure.
 */
final class AuditChain {

    private static final long MICROS_A_SECOND = 1_000_000;

    private AuditChain() {}

    /** Returns the hash that {@code audit} must have after one with the hash {@code previous}. */
    static String hash(String previous, AuditRecord audit) {
        long micros = audit.at().getEpochSecond() * MICROS_A_SECOND + audit.at().get(ChronoField.MICRO_OF_SECOND);
        StringBuilder text = new StringBuilder();
        field(text, previous);
        field(text, String.valueOf(audit.seq()));
        field(text, String.valueOf(micros));
        field(text, audit.who());
        field(text, audit.address());
        field(text, audit.action());
        field(text, audit.outcome().name());
        field(text, String.valueOf(audit.status()));
        field(text, audit.revision() == null ? null : String.valueOf(audit.revision()));
        field(text, String.join(" ", audit.entities()));
        field(text, audit.detail());
        return Sha256.hex(text.toString());
    }

    private static void field(StringBuilder text, @Nullable String value) {
        if (value == null) {
            text.append('-');
        } else {
            text.append(value.getBytes(StandardCharsets.UTF_8).length)
                    .append(':')
                    .append(value);
        }
    }
}
