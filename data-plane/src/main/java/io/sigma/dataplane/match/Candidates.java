package io.sigma.dataplane.match;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The routes at one place of the index of paths. Mostly that is one, which then stands there by itself, so that a
 * lookup among very many places reads as little as possible. Immutable.
 */
sealed interface Candidates<R extends Routed> permits Entry, CandidateList {

    /** Returns the candidates {@code entries}, which are in order of rank. */
    static <R extends Routed> Candidates<R> of(List<Entry<R>> entries) {
        return entries.size() == 1 ? entries.getFirst() : CandidateList.of(entries);
    }

    /** Returns all of these, in order of rank. */
    List<Entry<R>> entries();

    default boolean isEmpty() {
        return entries().isEmpty();
    }

    /**
     * Returns the first of these, in order, that takes the request, or {@code found} when that comes before.
     *
     * @param path as it is compared at this place
     */
    @Nullable
    Entry<R> best(Lookup lookup, String path, @Nullable Entry<R> found);

    /** Calls {@code action} with every route whose path and conditions fit, whatever method and media types it has. */
    void forEachFitting(Lookup lookup, String path, Consumer<R> action);
}
