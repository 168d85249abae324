package io.sigma.controlplane.fleet;

import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.StateHash;
import org.jspecify.annotations.Nullable;

/**
 * By what it is told whether a gateway serves a revision of this installation: a number says nothing, since a database
 * that was restored gives the same numbers to other states. Thread-safe.
 */
interface Histories {

    /** Most revisions that other control planes commit before this one looks at the database again. */
    int AHEAD_MAX = 1_000;

    /** Returns the newest revision that this control plane knows. */
    long newest();

    /**
     * Returns the hash of the state after {@code revision}; null when it is not known, as of an old revision or one to
     * come.
     */
    @Nullable
    StateHash hashOf(long revision);

    static Histories of(RevisionLog log) {
        return new Histories() {
            @Override
            public long newest() {
                return log.current().revision();
            }

            @Override
            public @Nullable StateHash hashOf(long revision) {
                return log.hashOf(revision);
            }
        };
    }

    /** Returns whether {@code revision} is known to have had the state of that hash. */
    default boolean has(long revision, String stateHash) {
        StateHash known = hashOf(revision);
        return known != null && known.hex().equals(stateHash);
    }

    /** Returns whether what a gateway serves is known to be no revision of this installation. */
    default boolean contradicts(GatewayStatus status) {
        if (newest() == 0) {
            return status.revision() > 0;
        }
        if (status.revision() > newest()) {
            return status.revision() - newest() > AHEAD_MAX;
        }
        return status.revision() > 0
                && hashOf(status.revision()) != null
                && !has(status.revision(), status.stateHash());
    }
}
