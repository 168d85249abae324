package io.sigma.controlplane.store.database;

import org.jspecify.annotations.Nullable;

/**
 * The history of a server: a standby that is promoted begins a timeline with a higher number, and the old primary, if
 * it still runs, stays on the lower one. Immutable.
 *
 * @param system the identifier that a primary and its standbys share; empty when it is not known
 */
record Lineage(String system, long timeline) {

    static final Lineage UNKNOWN = new Lineage("", 0);

    /** Of a server that is no standby: its system, a space, and its timeline in hexadecimal digits. */
    static final String OF_PRIMARY = "(select system_identifier::text from pg_control_system()) || ' '"
            + " || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)";

    /** Returns what {@link #OF_PRIMARY} says. */
    static Lineage of(@Nullable String text) {
        int space = text == null ? -1 : text.indexOf(' ');
        return text == null || space < 0
                ? UNKNOWN
                : new Lineage(text.substring(0, space), Long.parseLong(text.substring(space + 1), 16));
    }

    /** Returns whether {@code other} was promoted after this; false for servers without a common origin. */
    boolean isOlderThan(Lineage other) {
        return !system.isEmpty() && system.equals(other.system) && timeline < other.timeline;
    }
}
