package io.sigma.controlplane.store.history;

import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.StateHash;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes of the newest revisions, bounded in revisions and in changes. Thread-safe. */
final class RecentRevisions {

    /** So many changes are cheaper to send as the full state. */
    private static final int CHANGES_MAX = 20_000;

    private record Step(long revision, StateHash hash, List<EntityChange> changes) {}

    private final int revisionsMax;

    // Guarded by this. The first step has no changes that are of use: it is where deltas can begin.
    private final Deque<Step> steps = new ArrayDeque<>();
    private final Map<Long, StateHash> hashes = new HashMap<>();
    private int changes;

    RecentRevisions(int revisionsMax) {
        this.revisionsMax = revisionsMax;
    }

    /** Forgets everything; deltas begin at {@code revision}. */
    synchronized void restart(long revision, StateHash hash) {
        steps.clear();
        hashes.clear();
        hashes.put(revision, hash);
        changes = 0;
        steps.add(new Step(revision, hash, List.of()));
    }

    /** Adds the revision after the newest. */
    synchronized void add(long revision, StateHash hash, List<EntityChange> ofRevision) {
        steps.add(new Step(revision, hash, List.copyOf(ofRevision)));
        hashes.put(revision, hash);
        changes += ofRevision.size();
        while (steps.size() > 1 && (steps.size() > revisionsMax + 1 || changes > CHANGES_MAX)) {
            hashes.remove(steps.removeFirst().revision());
            Step first = steps.removeFirst();
            changes -= first.changes().size();
            steps.addFirst(new Step(first.revision(), first.hash(), List.of()));
        }
    }

    /** As {@link RevisionLog#hashOf}. */
    synchronized @Nullable StateHash hashOf(long revision) {
        return hashes.get(revision);
    }

    /** As {@link RevisionLog#changesSince}. */
    synchronized @Nullable List<EntityChange> since(long revision, StateHash hash, long toRevision) {
        List<EntityChange> found = null;
        for (Step step : steps) {
            if (found != null && step.revision() <= toRevision) {
                found.addAll(step.changes());
            }
            if (step.revision() == revision && step.hash().equals(hash)) {
                found = new ArrayList<>();
            }
        }
        boolean reaches = revision <= toRevision && steps.stream().anyMatch(step -> step.revision() == toRevision);
        return reaches ? found : null;
    }
}
