package io.sigma.dataplane.engine.accept;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of one event loop, by address. {@code ListenerEntry} looks up the one that gets a new connection.
 * For a moment there are two of an address, while one with other settings takes the place of the first: they share a
 * socket. Confined to the event loop.
 */
public final class LoopListeners {

    private final Map<String, Deque<LoopListener>> listeners = new HashMap<>();

    /** Adds one, which gets what is accepted at {@code address} from now on. */
    void add(String address, LoopListener listener) {
        listeners.computeIfAbsent(address, ignored -> new ArrayDeque<>()).push(listener);
    }

    void remove(String address, LoopListener listener) {
        Deque<LoopListener> open = listeners.get(address);
        if (open != null) {
            open.remove(listener);
            if (open.isEmpty()) {
                listeners.remove(address);
            }
        }
    }

    /** Returns the one that was added last; null when none is left. */
    @Nullable
    LoopListener newest(String address) {
        Deque<LoopListener> open = listeners.get(address);
        return open == null ? null : open.peek();
    }
}
