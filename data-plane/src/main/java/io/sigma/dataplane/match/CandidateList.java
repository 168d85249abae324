package io.sigma.dataplane.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several routes at one place of the index of paths, or none. A few are tried one after the other; many are split by
 * the exact values that they ask of header fields, query parameters and cookies, so that those of other values cost
 * nothing. Immutable.
 */
final class CandidateList<R extends Routed> implements Candidates<R> {

    /** So many are tried one after the other without looking for a split. */
    private static final int PLAIN_MAX = 4;

    /** Routes at one place that ask for values of more subjects than this are tried one after the other. */
    private static final int SPLITS_MAX = 16;

    /** The routes that ask for a value of {@code subject}, by that value. */
    private record Split<R extends Routed>(Subject subject, int rankMin, Map<String, Candidates<R>> byValue) {}

    private static final CandidateList<?> NONE = new CandidateList<>(List.of(), List.of(), List.of());

    private final List<Entry<R>> all;
    private final List<Entry<R>> plain;
    private final List<Split<R>> splits;

    private CandidateList(List<Entry<R>> all, List<Entry<R>> plain, List<Split<R>> splits) {
        this.all = List.copyOf(all);
        // Mostly nothing is split, and one copy is enough.
        this.plain = plain.size() == all.size() ? this.all : List.copyOf(plain);
        this.splits = List.copyOf(splits);
    }

    /** Returns the list without routes. */
    @SuppressWarnings("unchecked")
    static <R extends Routed> CandidateList<R> none() {
        return (CandidateList<R>) NONE;
    }

    /** Returns the list of {@code entries}, which are in order of rank. */
    static <R extends Routed> CandidateList<R> of(List<Entry<R>> entries) {
        return entries.isEmpty() ? none() : of(entries, Set.of());
    }

    /**
     * @param known what all of the entries have been split by already
     */
    private static <R extends Routed> CandidateList<R> of(List<Entry<R>> entries, Set<Subject> known) {
        List<Entry<R>> rest = entries;
        List<Split<R>> splits = new ArrayList<>();
        Set<Subject> used = new HashSet<>(known);
        while (rest.size() > PLAIN_MAX && splits.size() < SPLITS_MAX) {
            Subject subject = mostTelling(rest, used);
            if (subject == null) {
                break;
            }
            used.add(subject);
            Map<String, List<Entry<R>>> byValue = new LinkedHashMap<>();
            List<Entry<R>> others = new ArrayList<>();
            int rankMin = Integer.MAX_VALUE;
            for (Entry<R> entry : rest) {
                String value = exactValue(entry, subject);
                if (value == null) {
                    others.add(entry);
                } else {
                    byValue.computeIfAbsent(value, key -> new ArrayList<>(1)).add(entry);
                    rankMin = Math.min(rankMin, entry.rank());
                }
            }
            splits.add(split(subject, rankMin, byValue, used));
            rest = others;
        }
        splits.sort(Comparator.comparingInt(Split::rankMin));
        return new CandidateList<>(entries, rest, splits);
    }

    private static <R extends Routed> Split<R> split(
            Subject subject, int rankMin, Map<String, List<Entry<R>>> byValue, Set<Subject> used) {
        Map<String, Candidates<R>> candidates = new HashMap<>();
        byValue.forEach((value, entries) -> candidates.put(value, of(entries, used)));
        return new Split<>(subject, rankMin, candidates);
    }

    /** Returns the subject for which the entries ask for the most different values, null when none has two of them. */
    private static <R extends Routed> @Nullable Subject mostTelling(List<Entry<R>> entries, Set<Subject> used) {
        Map<Subject, Set<String>> values = new LinkedHashMap<>();
        for (Entry<R> entry : entries) {
            for (Condition condition : entry.route().rule().conditions().all()) {
                if (condition.exact() != null && !used.contains(condition.subject())) {
                    values.computeIfAbsent(condition.subject(), key -> new HashSet<>())
                            .add(condition.exact());
                }
            }
        }
        Subject best = null;
        int most = 1;
        for (Map.Entry<Subject, Set<String>> candidate : values.entrySet()) {
            if (candidate.getValue().size() > most) {
                best = candidate.getKey();
                most = candidate.getValue().size();
            }
        }
        return best;
    }

    private static <R extends Routed> @Nullable String exactValue(Entry<R> entry, Subject subject) {
        for (Condition condition : entry.route().rule().conditions().all()) {
            if (condition.exact() != null && condition.subject().equals(subject)) {
                return condition.exact();
            }
        }
        return null;
    }

    @Override
    public List<Entry<R>> entries() {
        return all;
    }

    @Override
    public @Nullable Entry<R> best(Lookup lookup, String path, @Nullable Entry<R> found) {
        Entry<R> best = found;
        for (int i = 0; i < plain.size(); i++) {
            Entry<R> candidate = plain.get(i);
            if (best != null && candidate.rank() >= best.rank()) {
                break;
            }
            if (candidate.takes(lookup, path)) {
                best = candidate;
                break;
            }
        }
        for (int i = 0; i < splits.size(); i++) {
            Split<R> split = splits.get(i);
            if (best != null && split.rankMin >= best.rank()) {
                break;
            }
            Candidates<R> below = below(split, lookup);
            best = below == null ? best : below.best(lookup, path, best);
        }
        return best;
    }

    @Override
    public void forEachFitting(Lookup lookup, String path, Consumer<R> action) {
        plain.forEach(entry -> entry.forEachFitting(lookup, path, action));
        for (Split<R> split : splits) {
            Candidates<R> below = below(split, lookup);
            if (below != null) {
                below.forEachFitting(lookup, path, action);
            }
        }
    }

    private static <R extends Routed> @Nullable Candidates<R> below(Split<R> split, Lookup lookup) {
        String value = lookup.value(split.subject);
        return value == null ? null : split.byValue.get(value);
    }
}
