package io.sigma.controlplane.api;

import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Looks credentials up in the database. Those that were good before are looked up at once; of others an address has a
 * few under way, and a few that wait: so whoever makes credentials up does not have the database to itself, and a good
 * one is found however many wrong ones its address has shown. Confined to the server's verticle.
 */
final class Lookups {

    private static final int OF_ADDRESS_MAX = 4;
    private static final int WAITING_MAX = 32;
    private static final int GOOD_MAX = 10_000;

    private static final class Line {

        private int running;
        private final Deque<Promise<Void>> waiting = new ArrayDeque<>();
    }

    private final Map<String, Line> lines = new HashMap<>();

    /**
     * The credentials that were valid when they were last looked up, by hash. Only valid ones are kept, so invalid ones
     * cannot evict them.
     */
    private final Map<String, Boolean> good = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Returns what {@code work} finds out of a credential. Waits.
     *
     * @param hash the hash under which the database has the credential
     * @param block address of the client
     * @throws FailureException with {@link Failure.TooManyRequests} when too many of the address wait
     */
    Optional<Principal> find(String hash, String block, Supplier<Optional<Principal>> work) {
        if (good.containsKey(hash)) {
            return noted(hash, work.get());
        }
        Line line = lines.computeIfAbsent(block, any -> new Line());
        if (line.running >= OF_ADDRESS_MAX) {
            await(line);
        } else {
            line.running++;
        }
        try {
            return noted(hash, work.get());
        } finally {
            Promise<Void> next = line.waiting.poll();
            if (next != null) {
                next.complete();
            } else if (--line.running == 0) {
                lines.remove(block);
            }
        }
    }

    private static void await(Line line) {
        if (line.waiting.size() >= WAITING_MAX) {
            throw new FailureException(new Failure.TooManyRequests(
                    "Too many unknown credentials from this address are being looked up.", 1));
        }
        Promise<Void> turn = Promise.promise();
        line.waiting.add(turn);
        turn.future().await();
    }

    private Optional<Principal> noted(String hash, Optional<Principal> found) {
        if (found.isEmpty()) {
            good.remove(hash);
        } else {
            good.put(hash, true);
            if (good.size() > GOOD_MAX) {
                good.remove(Objects.requireNonNull(good.keySet().iterator().next()));
            }
        }
        return found;
    }
}
