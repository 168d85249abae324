package io.sigma.dataplane.upstream.health;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets a bounded number of checks run at once, because each has a socket and memory. The others wait, one for each node
 * at most. Upstreams take turns, so nodes that do not answer keep those of other upstreams waiting only for a while.
 * Confined to one thread.
 */
final class ProbeQueue {

    static final int RUNNING_MAX = 256;
    static final int OF_UPSTREAM_MAX = 32;

    /** A check. */
    interface Check {

        String upstreamId();

        /** Returns whether it need not run any more. */
        boolean isStopped();

        /** Begins; {@link #leave} follows exactly once, and not within this call. */
        void begin();
    }

    /** Checks that wait, by upstream, in the order of their turns. */
    private final Map<String, ArrayDeque<Check>> waiting = new LinkedHashMap<>();
    /** Checks that run, by upstream. */
    private final Map<String, Integer> running = new HashMap<>();

    private int all;

    /** Begins {@code check}, now or when it is its turn. */
    void enter(Check check) {
        if (tryRun(check.upstreamId())) {
            check.begin();
        } else {
            waiting.computeIfAbsent(check.upstreamId(), id -> new ArrayDeque<>())
                    .add(check);
        }
    }

    /** A check of the upstream is over. */
    void leave(String upstreamId) {
        all--;
        running.computeIfPresent(upstreamId, (id, count) -> count == 1 ? null : count - 1);
        Check next = next();
        if (next != null) {
            next.begin();
        }
    }

    private boolean tryRun(String upstreamId) {
        int own = running.getOrDefault(upstreamId, 0);
        if (all == RUNNING_MAX || own == OF_UPSTREAM_MAX) {
            return false;
        }
        all++;
        running.put(upstreamId, own + 1);
        return true;
    }

    /** Returns the next check, which runs from now on; null when there is none. */
    private @Nullable Check next() {
        Iterator<Map.Entry<String, ArrayDeque<Check>>> turns =
                waiting.entrySet().iterator();
        while (turns.hasNext()) {
            Map.Entry<String, ArrayDeque<Check>> turn = turns.next();
            String upstreamId = turn.getKey();
            ArrayDeque<Check> checks = turn.getValue();
            checks.removeIf(Check::isStopped);
            if (checks.isEmpty()) {
                turns.remove();
            } else if (tryRun(upstreamId)) {
                turns.remove();
                Check next = checks.remove();
                if (!checks.isEmpty()) {
                    // Its next turn comes after those of the others.
                    waiting.put(upstreamId, checks);
                }
                return next;
            }
        }
        return null;
    }
}
