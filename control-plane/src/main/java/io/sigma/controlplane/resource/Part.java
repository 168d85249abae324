package io.sigma.controlplane.resource;

import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The whole state at a revision, or what of it carries a label. Immutable.
 *
 * @param label null for the whole
 */
public record Part(Snapshot snapshot, @Nullable Label label) {

    private static final int TAG_DIGITS = 16;

    /** Returns the resources of one type, ordered by id. */
    public <T> Map<String, T> of(ResourceType<T> type) {
        Map<String, T> part = new TreeMap<>(snapshot.state().of(type));
        Label wanted = label;
        if (wanted != null) {
            part.values().removeIf(resource -> !wanted.isOn(type, resource));
        }
        return part;
    }

    /**
     * Returns its strong entity tag, quotes included. That of a labelled part does not name the revision, as what
     * others change leaves the part as it is.
     */
    public String tag() {
        return label == null ? tag(snapshot.revision(), snapshot.hash()) : "\"" + digits(hash()) + "\"";
    }

    /** Returns the tag of the whole state. */
    public static String tag(long revision, StateHash hash) {
        return "\"" + revision + "-" + digits(hash) + "\"";
    }

    private static String digits(StateHash hash) {
        return hash.hex().substring(0, TAG_DIGITS);
    }

    /** Returns the hash of what is in this part. */
    private StateHash hash() {
        StateHash hash = StateHash.EMPTY;
        for (ResourceType<?> type : ResourceType.ALL) {
            for (Map.Entry<String, ?> one : of(type).entrySet()) {
                hash = hash.plus(type.kind(), one.getKey(), one.getValue());
            }
        }
        return hash;
    }
}
