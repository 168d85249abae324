package io.sigma.dataplane.match;

import com.google.re2j.Pattern;
import io.sigma.route.Affixes;
import io.sigma.value.PathPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Routes whose path is an expression, by what the expression begins and ends with. A lookup asks for those prefixes of
 * the path that are as long as the prefix of some expression, so its cost grows with the number of different lengths,
 * not with that of expressions; those that begin and end alike are tried one after the other. Immutable.
 */
final class ExpressionIndex<R extends Routed> {

    private final int rankMin;
    private final int[] lengths;
    private final RegionMap<SuffixIndex<R>> byPrefix;

    /**
     * @param entries in order of rank
     */
    ExpressionIndex(List<Entry<R>> entries) {
        Map<String, List<Entry<R>>> groups = new HashMap<>();
        for (Entry<R> entry : entries) {
            groups.computeIfAbsent(affixes(entry).prefix(), key -> new ArrayList<>(1))
                    .add(entry);
        }
        Map<String, SuffixIndex<R>> suffixes = new HashMap<>();
        groups.forEach((prefix, group) -> suffixes.put(prefix, new SuffixIndex<>(group)));
        rankMin = entries.isEmpty() ? Integer.MAX_VALUE : entries.getFirst().rank();
        lengths = lengths(groups);
        byPrefix = RegionMap.of(suffixes);
    }

    static Affixes affixes(Entry<?> entry) {
        return entry.route().rule().path() instanceof PathPattern.Regex(Pattern expression)
                ? Affixes.of(expression.pattern())
                : new Affixes("", "");
    }

    static int[] lengths(Map<String, ?> byText) {
        return byText.keySet().stream()
                .mapToInt(String::length)
                .distinct()
                .sorted()
                .toArray();
    }

    /** Returns the first of these, in order, that takes the request, or {@code found} when that comes before. */
    @Nullable
    Entry<R> best(Lookup lookup, String path, @Nullable Entry<R> found) {
        Entry<R> best = found;
        int hash = 0;
        int hashed = 0;
        for (int length : lengths) {
            if (length > path.length() || (best != null && rankMin >= best.rank())) {
                break;
            }
            hash = RegionMap.hash(hash, path, hashed, length);
            hashed = length;
            SuffixIndex<R> suffixes = byPrefix.get(path, 0, length, hash);
            best = suffixes == null ? best : suffixes.best(lookup, path, best);
        }
        return best;
    }

    /** Calls {@code action} with every route whose path and conditions fit, whatever method and media types it has. */
    void forEachFitting(Lookup lookup, String path, Consumer<R> action) {
        for (int length : lengths) {
            SuffixIndex<R> suffixes = length > path.length() ? null : byPrefix.get(path, 0, length);
            if (suffixes != null) {
                suffixes.forEachFitting(lookup, path, action);
            }
        }
    }
}
