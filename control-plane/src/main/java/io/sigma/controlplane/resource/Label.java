package io.sigma.controlplane.resource;

import io.sigma.snapshot.ResourceType;

/** A label that says to which part of the state a resource belongs. */
public record Label(String key, String value) {

    /** Returns the label that {@code key=value} names; the key has no equals sign. */
    public static Label parse(String text) {
        int equals = text.indexOf('=');
        return new Label(text.substring(0, equals), text.substring(equals + 1));
    }

    /** Returns whether {@code resource} carries this label. */
    <T> boolean isOn(ResourceType<T> type, Object resource) {
        return value.equals(type.labels(type.cast(resource)).get(key));
    }

    @Override
    public String toString() {
        return key + "=" + value;
    }
}
