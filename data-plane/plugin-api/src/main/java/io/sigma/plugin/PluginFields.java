package io.sigma.plugin;

import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The header fields of a message; names compare without regard to case. Not thread-safe. */
public interface PluginFields {

    /** Returns the first value of {@code name}, null when absent. */
    @Nullable
    String get(String name);

    /** Returns every value of {@code name}, in order; empty when absent. */
    List<String> all(String name);

    boolean contains(String name);

    /** Replaces every field of that name by one. */
    void set(String name, String value);

    void add(String name, String value);

    void remove(String name);

    /** Calls {@code action} with the name and the value of each field, in order; it must not change the fields. */
    void forEach(BiConsumer<String, String> action);
}
