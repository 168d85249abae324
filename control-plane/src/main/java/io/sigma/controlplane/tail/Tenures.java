package io.sigma.controlplane.tail;

import io.sigma.controlplane.access.Scope;
import io.sigma.model.Kind;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;

/**
 * Since when resources belong to somebody. An id says nothing of the past: another resource may have had it, or the
 * same one with the labels of another team. May wait for the database.
 */
public interface Tenures {

    /** It does not exist, or does not carry the labels. */
    Since NEVER = new Since(Long.MAX_VALUE, Instant.MAX);

    /**
     * The change from which on it exists and carries the labels without a break.
     *
     * @param at when it was committed
     */
    record Since(long revision, Instant at) {}

    /** Returns since when one resource of the newest revision carries the labels of {@code scope}. */
    Since of(Scope scope, Kind kind, String id);

    /** Returns the same of all resources of a kind that carry the labels now, by id. */
    Map<String, Since> all(Scope scope, Kind kind);

    /** As {@link #all} for some ids; those that do not carry the labels are left out. */
    Map<String, Since> some(Scope scope, Kind kind, Collection<String> ids);
}
