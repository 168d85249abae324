package io.sigma.controlplane.search;

import io.sigma.model.Route;
import io.sigma.model.SearchField;
import io.sigma.snapshot.ResourceType;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A resource and its text. Immutable.
 *
 * @param text see {@link SearchText}
 */
record Searched<T>(ResourceType<T> type, T resource, String text) {

    /** The rank of a match. A lower rank is a better match. */
    static final int EXACT = 0;

    static final int TAKES = 1;
    static final int BEGINS = 2;
    static final int CONTAINS = 3;

    /** The letters of the fields whose beginning counts for more than any other place. */
    private static final String TELLING = Stream.of(
                    SearchField.ID, SearchField.NAME, SearchField.PATH, SearchField.HOST, SearchField.NODE)
            .map(field -> String.valueOf(SearchText.letter(field)))
            .collect(Collectors.joining());

    static <T> Searched<T> of(ResourceType<T> type, T resource) {
        return new Searched<>(type, resource, SearchText.of(type, resource));
    }

    String id() {
        return type.id(resource);
    }

    /** Returns how well it fits a term by its text; -1 when no value has it. */
    int rank(SearchTerm term) {
        int best = -1;
        String sought = term.text();
        for (int at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
            boolean begins = at >= 2 && text.charAt(at - 2) == '\n';
            if (term.field() != null && !(begins && text.charAt(at - 1) == SearchText.letter(term.field()))) {
                continue;
            }
            int rank = begins && TELLING.indexOf(text.charAt(at - 1)) >= 0
                    ? text.charAt(at + sought.length()) == '\n' ? EXACT : BEGINS
                    : CONTAINS;
            if (rank == EXACT) {
                return EXACT;
            }
            best = best < 0 ? rank : Math.min(best, rank);
        }
        return best;
    }

    /** Returns the path of a route; null for other kinds. A longer path is more specific. */
    @Nullable
    String path() {
        return resource instanceof Route route ? route.path() : null;
    }
}
