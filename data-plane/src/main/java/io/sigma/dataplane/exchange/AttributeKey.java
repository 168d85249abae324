package io.sigma.dataplane.exchange;

/**
 * Names what a filter remembers of an exchange. Two keys are never equal, so each filter class has its own in a
 * constant.
 *
 * @param <T> what is remembered
 */
public final class AttributeKey<T> {

    private final Class<T> type;
    private final String name;

    private AttributeKey(Class<T> type, String name) {
        this.type = type;
        this.name = name;
    }

    /** Returns a new key; {@code name} is for people. */
    public static <T> AttributeKey<T> of(Class<T> type, String name) {
        return new AttributeKey<>(type, name);
    }

    T cast(Object value) {
        return type.cast(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
