package io.sigma.limit;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a port, bounded in all and for each address. Where there is no room the oldest connection that is
 * not {@linkplain #begun busy} makes some: one of the same address when this has its share, else one of the address
 * that has most. So whoever opens many loses its own. Thread-safe; no method takes longer than a look at each address.
 *
 * @param <C> a connection, compared by identity or as it likes
 */
public final class ConnectionTable<C> {

    private static final class Holder<C> {

        private final String address;
        private final Set<C> waiting = new LinkedHashSet<>();
        private int count;

        Holder(String address) {
            this.address = address;
        }
    }

    private final int max;
    private final int ofAddressMax;

    // Guarded by this.
    private final Map<String, Holder<C>> byAddress = new HashMap<>();
    private final Map<C, Holder<C>> byConnection = new HashMap<>();

    /**
     * @param max connections in all
     * @param ofAddressMax connections of one address
     */
    public ConnectionTable(int max, int ofAddressMax) {
        this.max = max;
        this.ofAddressMax = ofAddressMax;
    }

    /**
     * Takes in a connection.
     *
     * @param address as {@link AddressBlock} has it
     * @param shared whether many clients come from that address, as from a proxy: it has no share of its own
     * @return what is to be closed, and is forgotten already: another connection, the given one where nothing else can
     *     go, or null
     */
    public synchronized @Nullable C opened(String address, C connection, boolean shared) {
        Holder<C> own = byAddress.computeIfAbsent(address, Holder::new);
        C victim = null;
        if (!shared && own.count >= ofAddressMax) {
            victim = oldest(own);
        } else if (byConnection.size() >= max) {
            victim = oldest(largest());
        } else {
            add(own, connection);
            return null;
        }
        if (victim == null) {
            forget(own);
            return connection;
        }
        closed(victim);
        add(byAddress.computeIfAbsent(address, Holder::new), connection);
        return victim;
    }

    private void add(Holder<C> holder, C connection) {
        holder.count++;
        holder.waiting.add(connection);
        byConnection.put(connection, holder);
    }

    private @Nullable Holder<C> largest() {
        Holder<C> largest = null;
        for (Holder<C> holder : byAddress.values()) {
            if (!holder.waiting.isEmpty() && (largest == null || holder.count > largest.count)) {
                largest = holder;
            }
        }
        return largest;
    }

    private static <C> @Nullable C oldest(@Nullable Holder<C> holder) {
        return holder == null || holder.waiting.isEmpty()
                ? null
                : holder.waiting.iterator().next();
    }

    /** Notes that a connection has work under way for somebody who is known: it does not make room for others. */
    public synchronized void begun(C connection) {
        Holder<C> holder = byConnection.get(connection);
        if (holder != null) {
            holder.waiting.remove(connection);
        }
    }

    /** Notes that a connection has no work any more; it is the youngest of those that may make room. */
    public synchronized void ended(C connection) {
        Holder<C> holder = byConnection.get(connection);
        if (holder != null) {
            holder.waiting.remove(connection);
            holder.waiting.add(connection);
        }
    }

    /** Forgets a connection. */
    public synchronized void closed(C connection) {
        Holder<C> holder = byConnection.remove(connection);
        if (holder != null) {
            holder.waiting.remove(connection);
            holder.count--;
            forget(holder);
        }
    }

    private void forget(Holder<C> holder) {
        if (holder.count == 0) {
            byAddress.remove(holder.address, holder);
        }
    }

    /** Returns how many connections there are. */
    public synchronized int size() {
        return byConnection.size();
    }
}
