package io.sigma.dataplane.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The header fields of a message; names compare without regard to case. An engine implements it over what it parsed, so
 * nothing is copied to look at a field. Not thread-safe.
 */
public interface Fields {

    /** Returns the first value of {@code name}, null when absent. */
    @Nullable
    String get(String name);

    /**
     * Returns the value of the only field of that name, null when there is none.
     *
     * @throws InvalidRequest when there are several
     */
    @Nullable
    default String only(String name) {
        if (count(name) > 1) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, name);
        }
        return get(name);
    }

    /** Returns every value of {@code name}, in order; empty when absent. */
    List<String> all(String name);

    boolean contains(String name);

    /**
     * Returns whether a field of that name has {@code text} in its value. An engine looks where the values lie and
     * makes no texts of them.
     */
    default boolean contains(String name, String text) {
        for (String value : all(name)) {
            if (value.contains(text)) {
                return true;
            }
        }
        return false;
    }

    /** Returns how many fields of that name there are. */
    default int count(String name) {
        return all(name).size();
    }

    /** Replaces every field of that name by one. */
    default void set(String name, String value) {
        remove(name);
        add(name, value);
    }

    void add(String name, String value);

    default void add(FieldLine line) {
        add(line.name(), line.value());
    }

    /**
     * Adds an element behind those of a list, in one field, without the empty elements of others, which nobody may send
     * on (RFC 9110 §5.6.1).
     */
    default void append(FieldLine line) {
        if (!contains(line.name())) {
            add(line);
            return;
        }
        String before = ListElements.withoutEmpty(all(line.name()));
        set(line.name(), before.isEmpty() ? line.value() : before + ", " + line.value());
    }

    void remove(String name);

    default void removeAll(FieldNames names) {
        List<String> all = names.all();
        for (int i = 0; i < all.size(); i++) {
            remove(all.get(i));
        }
    }

    /**
     * Removes every field of whose name {@code test} says so. An engine does it in one pass; {@link #remove}, called
     * for each of many, looks at all of them again each time.
     */
    default void removeIf(Predicate<String> test) {
        List<String> names = new ArrayList<>();
        forEach((name, value) -> {
            if (test.test(name)) {
                names.add(name);
            }
        });
        names.forEach(this::remove);
    }

    /** Returns how many fields there are. */
    default int size() {
        int[] count = {0};
        forEach((name, value) -> count[0]++);
        return count[0];
    }

    /**
     * Returns whether a field of that name came as one that no table of compression may hold, so that it is sent on as
     * such (RFC 7541 §6.2.3). HTTP/1 has no way to say so.
     */
    default boolean isNeverIndexed(String name) {
        return false;
    }

    /** Returns whether a name may have an underscore, or may be empty; an engine that knows better says no. */
    default boolean mayHaveOddNames() {
        return true;
    }

    /** Returns whether a field that came may be one of {@link ForwardingNames}; an engine that knows better says no. */
    default boolean mayHaveForwarding() {
        return true;
    }

    /** Calls {@code action} with the name and the value of each field, in order; it must not change the fields. */
    void forEach(BiConsumer<String, String> action);
}
