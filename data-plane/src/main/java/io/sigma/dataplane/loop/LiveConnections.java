package io.sigma.dataplane.loop;

import io.sigma.model.GatewayConnection;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The connections of one event loop that an operator can see and close, the oldest first. Confined to the loop. */
public final class LiveConnections {

    /** The connections that are visited before traffic is handled again. */
    private static final int LOOKED_AT_ONCE = 256;

    private static final int RADIX = 36;

    /** Numbers begin anywhere, so that an id of an earlier process means nothing to this one. */
    private static final long FIRST = new SecureRandom().nextLong() >>> 24;

    private final String prefix;
    private final Loop.Scheduler scheduler;
    private final Map<Long, LiveConnection> open = new LinkedHashMap<>();
    private long next = FIRST;

    LiveConnections(int loop, Loop.Scheduler scheduler) {
        this.prefix = loop + "-";
        this.scheduler = scheduler;
    }

    /**
     * The result of a search.
     *
     * @param connections the oldest of those that match
     * @param matching how many match
     */
    public record Found(List<GatewayConnection> connections, long matching) {

        public Found {
            connections = List.copyOf(connections);
        }
    }

    /** Adds one; returns the number to remove it with. */
    public long add(LiveConnection connection) {
        long number = next++;
        open.put(number, connection);
        return number;
    }

    /** Removes one that is over; nothing happens when it was removed before. */
    public void remove(long number) {
        open.remove(number);
    }

    /**
     * Looks for connections, a part of them in each turn of the loop.
     *
     * @param limit how many are told at most
     * @param done is called on the loop
     */
    public void find(Predicate<GatewayConnection> wanted, int limit, Consumer<Found> done) {
        new Search(wanted, limit, done, open.keySet().toArray(Long[]::new)).run();
    }

    /** Closes one; returns what it was, or null when there is none with this id. */
    public @Nullable GatewayConnection close(String id) {
        LiveConnection connection = id.startsWith(prefix) ? open.get(number(id)) : null;
        if (connection == null) {
            return null;
        }
        GatewayConnection was = connection.describe(id);
        connection.close();
        return was;
    }

    private long number(String id) {
        try {
            return Long.parseLong(id, prefix.length(), id.length(), RADIX);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Confined to the loop. */
    private final class Search implements Runnable {

        private final Predicate<GatewayConnection> wanted;
        private final int limit;
        private final Consumer<Found> done;
        private final Long[] numbers;
        private final List<GatewayConnection> found = new ArrayList<>();
        private long matching;
        private int looked;

        Search(Predicate<GatewayConnection> wanted, int limit, Consumer<Found> done, Long[] numbers) {
            this.wanted = wanted;
            this.limit = limit;
            this.done = done;
            this.numbers = numbers;
        }

        @Override
        public void run() {
            int end = Math.min(numbers.length, looked + LOOKED_AT_ONCE);
            for (; looked < end; looked++) {
                look(numbers[looked]);
            }
            if (looked < numbers.length) {
                scheduler.execute(this);
            } else {
                done.accept(new Found(found, matching));
            }
        }

        private void look(Long number) {
            LiveConnection connection = open.get(number);
            if (connection == null) {
                // It ended meanwhile.
                return;
            }
            GatewayConnection described = connection.describe(prefix + Long.toString(number, RADIX));
            if (wanted.test(described)) {
                matching++;
                if (found.size() < limit) {
                    found.add(described);
                }
            }
        }
    }
}
