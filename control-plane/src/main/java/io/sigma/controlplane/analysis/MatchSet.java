package io.sigma.controlplane.analysis;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Routes with the same paths, in their order, by one of the values that they ask for: a route covers another one only
 * when the other one asks for that value too. Confined to the analysis.
 */
final class MatchSet {

    /** By what the value is asked of, then by the value. */
    private final Map<String, Map<String, NavigableSet<Match>>> bySubject = new TreeMap<>();

    void add(Match match) {
        bySubject
                .computeIfAbsent(match.key().subject(), subject -> new HashMap<>(2))
                .computeIfAbsent(match.key().value(), value -> new TreeSet<>())
                .add(match);
    }

    void remove(Match match) {
        Map<String, NavigableSet<Match>> byValue = bySubject.get(match.key().subject());
        NavigableSet<Match> same =
                byValue == null ? null : byValue.get(match.key().value());
        if (byValue != null && same != null && same.remove(match) && same.isEmpty()) {
            byValue.remove(match.key().value());
            if (byValue.isEmpty()) {
                bySubject.remove(match.key().subject());
            }
        }
    }

    boolean isEmpty() {
        return bySubject.isEmpty();
    }

    void forEach(Consumer<Match> action) {
        bySubject.values().forEach(byValue -> byValue.values().forEach(same -> same.forEach(action)));
    }

    private NavigableSet<Match> at(AskedValue key) {
        return bySubject
                .getOrDefault(key.subject(), Map.of())
                .getOrDefault(key.value(), Collections.emptyNavigableSet());
    }

    /**
     * Calls {@code action} with each that may cover a route which asks for {@code keys}, the first in order first, as
     * long as {@code first} holds.
     *
     * @return false when {@code action} has returned false, which ends it
     */
    boolean forEachWider(List<AskedValue> keys, Predicate<Match> first, Predicate<Match> action) {
        if (!each(AskedValue.NONE, first, action)) {
            return false;
        }
        for (AskedValue key : keys) {
            if (!each(key, first, action)) {
                return false;
            }
        }
        return true;
    }

    private boolean each(AskedValue key, Predicate<Match> first, Predicate<Match> action) {
        for (Match match : at(key)) {
            if (!first.test(match)) {
                return true;
            }
            if (!action.test(match)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Calls {@code action} with some before {@code match} that only its id tells from it.
     *
     * @param looksMax how many at most
     */
    void forEachTied(Match match, int looksMax, Consumer<Match> action) {
        int looks = 0;
        for (Map.Entry<String, Map<String, NavigableSet<Match>>> entry : bySubject.entrySet()) {
            List<AskedValue> asked = match.exactKeys().stream()
                    .filter(key -> key.subject().equals(entry.getKey()))
                    .toList();
            // Those that ask for another value of the same take other requests.
            Collection<NavigableSet<Match>> sets = asked.isEmpty()
                    ? entry.getValue().values()
                    : asked.stream().map(this::at).toList();
            for (NavigableSet<Match> set : sets) {
                if (looks++ >= looksMax) {
                    return;
                }
                // Backwards from the route: those that tie with it stand next to it.
                for (Match other : set.headSet(match, false).descendingSet()) {
                    if (!other.place().ties(match.place()) || looks++ >= looksMax) {
                        break;
                    }
                    action.accept(other);
                }
            }
        }
    }
}
