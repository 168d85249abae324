package io.sigma.dataplane.testkit;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A message of HTTP/1.1 as it arrived: its field lines, and what they say by name. */
public interface FieldLines {

    /** Returns the lines, each as {@code Name: value}. */
    List<String> fields();

    /** Returns the first value of {@code name}, in any case; null when there is none. */
    default @Nullable String field(String name) {
        List<String> values = all(name);
        return values.isEmpty() ? null : values.getFirst();
    }

    /** Returns all values of {@code name}, in any case, in their order. */
    default List<String> all(String name) {
        String prefix = name.toLowerCase(Locale.ROOT) + ":";
        return fields().stream()
                .filter(field -> field.toLowerCase(Locale.ROOT).startsWith(prefix))
                .map(field -> field.substring(prefix.length()).strip())
                .toList();
    }
}
