package io.sigma.controlplane.store.database;

import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Times as the database client wants them. Pure. */
public final class DatabaseTimes {

    private static final Instant FIRST = Instant.EPOCH;
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private DatabaseTimes() {}

    /**
     * To be called with what others say: a time that the database cannot hold would fail what is written along with it.
     *
     * @throws IllegalArgumentException when {@code instant} is not in the years 1970 to 9999
     */
    public static void requireStorable(String field, Instant instant) {
        if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
            throw new IllegalArgumentException(field + ": " + instant + " (expected: " + FIRST + ".." + LAST + ")");
        }
    }

    /** Returns the value of a parameter. */
    public static OffsetDateTime of(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    /** Returns a column that is never null. */
    public static Instant at(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }

    /** Returns a column; null when it is null. */
    public static @Nullable Instant orNull(Row row, String column) {
        OffsetDateTime time = row.getOffsetDateTime(column);
        return time == null ? null : time.toInstant();
    }
}
