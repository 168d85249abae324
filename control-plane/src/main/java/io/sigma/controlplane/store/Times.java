package io.sigma.controlplane.store;

import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Times as the database client wants them. Pure. */
public final class Times {

    private Times() {}

    public static OffsetDateTime of(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    /** Returns a column that is never null. */
    public static Instant at(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }

    public static @Nullable Instant orNull(Row row, String column) {
        OffsetDateTime time = row.getOffsetDateTime(column);
        return time == null ? null : time.toInstant();
    }
}
