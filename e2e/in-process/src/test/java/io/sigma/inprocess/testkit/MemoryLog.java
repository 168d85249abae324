package io.sigma.inprocess.testkit;

import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.Upstream;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Revisions without a database. Thread-safe. */
public final class MemoryLog implements RevisionLog {

    private final List<Snapshot> history = new ArrayList<>(List.of(Snapshot.NONE));
    private final List<EntityChange> changes = new ArrayList<>();
    private final List<Consumer<Snapshot>> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger deltas = new AtomicInteger();

    @Override
    public synchronized Snapshot current() {
        return history.getLast();
    }

    @Override
    public void onAdvance(Consumer<Snapshot> listener) {
        listeners.add(listener);
    }

    /** Commits one revision for each change. */
    public Snapshot commit(EntityChange... made) {
        for (EntityChange change : made) {
            synchronized (this) {
                Snapshot newest = current();
                history.add(newest.advance(newest.revision() + 1, List.of(change)));
                changes.add(change);
            }
        }
        return tell(current());
    }

    private Snapshot tell(Snapshot newest) {
        for (Consumer<Snapshot> listener : List.copyOf(listeners)) {
            try {
                listener.accept(newest);
            } catch (RejectedExecutionException e) {
                // A control plane that was killed does not unregister.
                listeners.remove(listener);
            }
        }
        return newest;
    }

    /** Commits one revision with all changes; later deltas do not reach before it. */
    public Snapshot commitAll(List<EntityChange> made) {
        synchronized (this) {
            Snapshot next = current().advance(current().revision() + 1, made);
            history.clear();
            history.add(next);
            changes.clear();
        }
        return tell(current());
    }

    /** Replaces everything, as a restored backup does. */
    public void restore(Snapshot snapshot) {
        synchronized (this) {
            history.clear();
            history.add(snapshot);
            changes.clear();
        }
        tell(snapshot);
    }

    /** Returns how many deltas were asked for and given. */
    public int deltas() {
        return deltas.get();
    }

    @Override
    public synchronized @Nullable List<EntityChange> changesSince(long revision, StateHash hash, long toRevision) {
        long first = history.getFirst().revision();
        int from = (int) (revision - first);
        int to = (int) (toRevision - first);
        if (from < 0
                || to >= history.size()
                || from > to
                || !history.get(from).hash().equals(hash)) {
            return null;
        }
        deltas.incrementAndGet();
        return List.copyOf(changes.subList(from, to));
    }

    @Override
    public synchronized @Nullable StateHash hashOf(long revision) {
        return history.stream()
                .filter(snapshot -> snapshot.revision() == revision)
                .findFirst()
                .map(Snapshot::hash)
                .orElse(null);
    }

    public static EntityChange upstream(String id, String... hosts) {
        List<Node> nodes = Arrays.stream(hosts)
                .map(host -> Node.builder().url("http://" + host + ":8080").build())
                .toList();
        return new EntityChange(
                Kind.UPSTREAM, id, Upstream.builder().id(id).nodes(nodes).build());
    }
}
