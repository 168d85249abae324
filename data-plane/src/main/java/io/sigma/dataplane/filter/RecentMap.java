package io.sigma.dataplane.filter;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A map of bounded size that keeps what is looked for. All maps of a process together have a bound as well: beyond it,
 * a map that grows drops what was not looked for sooner. Entries live in two generations; when the younger is full the
 * older, in which nothing was looked for since, is dropped: nobody ever waits for a clean-up. Thread-safe, without
 * locks.
 */
public final class RecentMap<V> {

    private record Generations<V>(ConcurrentHashMap<Object, V> young, ConcurrentHashMap<Object, V> old) {}

    /** After so many new entries a map asks whether all maps have too many. */
    private static final int ASKS_EVERY = 64;

    private final EntryBudget budget;
    private final AtomicInteger added = new AtomicInteger();
    private final int generationMax;
    private final AtomicReference<Generations<V>> generations;

    /**
     * @param entriesMax entries that are kept
     */
    public RecentMap(int entriesMax) {
        this(entriesMax, EntryBudget.OF_PROCESS);
    }

    RecentMap(int entriesMax, EntryBudget budget) {
        this.budget = budget;
        budget.add(this);
        this.generationMax = Math.max(1, entriesMax / 2);
        this.generations =
                new AtomicReference<>(new Generations<>(new ConcurrentHashMap<>(), new ConcurrentHashMap<>()));
    }

    private Generations<V> current() {
        return Objects.requireNonNull(generations.get());
    }

    @Nullable
    public V get(Object key) {
        Generations<V> both = current();
        V known = both.young().get(key);
        if (known != null) {
            return known;
        }
        V older = both.old().get(key);
        return older == null ? null : putIfAbsent(key, older);
    }

    /** Returns the value that the map has for {@code key} then. */
    public V putIfAbsent(Object key, V value) {
        Generations<V> both = current();
        if (both.young().mappingCount() >= generationMax
                || (added.incrementAndGet() % ASKS_EVERY == 0 && budget.isSpent())) {
            Generations<V> next = new Generations<>(new ConcurrentHashMap<>(), both.young());
            both = generations.compareAndSet(both, next) ? next : current();
        }
        V other = both.young().putIfAbsent(key, value);
        return other != null ? other : value;
    }

    /** Replaces the value of {@code key}. */
    public void put(Object key, V value) {
        putIfAbsent(key, value);
        current().young().put(key, value);
    }

    /** Calls {@code action} with the entries that there are, some of them maybe twice. */
    public void forEach(BiConsumer<Object, V> action) {
        Generations<V> both = current();
        both.young().forEach(action);
        both.old().forEach(action);
    }

    public long size() {
        Generations<V> both = current();
        return both.young().mappingCount() + both.old().mappingCount();
    }
}
