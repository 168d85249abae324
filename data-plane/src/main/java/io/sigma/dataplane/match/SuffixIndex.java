package io.sigma.dataplane.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Routes whose expressions begin alike, by what they end with. Immutable. */
final class SuffixIndex<R extends Routed> {

    private final int rankMin;
    private final int[] lengths;
    private final RegionMap<Candidates<R>> bySuffix;

    /**
     * @param entries at least one, in order of rank
     */
    SuffixIndex(List<Entry<R>> entries) {
        Map<String, List<Entry<R>>> groups = new HashMap<>();
        for (Entry<R> entry : entries) {
            groups.computeIfAbsent(ExpressionIndex.affixes(entry).suffix(), key -> new ArrayList<>(1))
                    .add(entry);
        }
        Map<String, Candidates<R>> candidates = new HashMap<>();
        groups.forEach((suffix, group) -> candidates.put(suffix, Candidates.of(group)));
        rankMin = entries.getFirst().rank();
        lengths = ExpressionIndex.lengths(groups);
        bySuffix = RegionMap.of(candidates);
    }

    /** Returns the first of these, in order, that takes the request, or {@code found} when that comes before. */
    @Nullable
    Entry<R> best(Lookup lookup, String path, @Nullable Entry<R> found) {
        Entry<R> best = found;
        for (int length : lengths) {
            if (length > path.length() || (best != null && rankMin >= best.rank())) {
                break;
            }
            Candidates<R> candidates = bySuffix.get(path, path.length() - length, path.length());
            best = candidates == null ? best : candidates.best(lookup, path, best);
        }
        return best;
    }

    /** Calls {@code action} with every route whose path and conditions fit, whatever method and media types it has. */
    void forEachFitting(Lookup lookup, String path, Consumer<R> action) {
        for (int length : lengths) {
            Candidates<R> candidates =
                    length > path.length() ? null : bySuffix.get(path, path.length() - length, path.length());
            if (candidates != null) {
                candidates.forEachFitting(lookup, path, action);
            }
        }
    }
}
