package io.sigma.controlplane.fleet;

import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.StateHash;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

            // By gateway, a revision that it says to serve and that the database did not have.
            private final Map<String, Long> madeUp = new ConcurrentHashMap<>();

            private final Set<String> asking = ConcurrentHashMap.newKeySet();

            @Override
            public long newest() {
                return log.current().revision();
            }

            @Override
            public @Nullable StateHash hashOf(long revision) {
                return log.hashOf(revision);
            }

            @Override
            public boolean isMadeUp(GatewayStatus status) {
                String id = status.gatewayId();
                long revision = status.revision();
                Long none = madeUp.get(id);
                boolean known = none != null && none > newest() && none <= revision;
                // Asked each time that it is looked at, so that a revision that is committed later is believed.
                if (asking.add(id)) {
                    log.confirmed()
                            .onSuccess(found -> {
                                if (found.revision() >= revision) {
                                    madeUp.remove(id);
                                } else if (madeUp.containsKey(id) || madeUp.size() < GatewayRegistry.GATEWAYS_MAX) {
                                    madeUp.put(id, revision);
                                }
                            })
                            .onComplete(done -> asking.remove(id));
                }
                return known;
            }
        };
    }

    /**
     * Returns whether the database does not have the revision that a gateway says to serve, which is newer than
     * {@link #newest}. False until it was asked.
     */
    default boolean isMadeUp(GatewayStatus status) {
        return false;
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
            return status.revision() - newest() > AHEAD_MAX || isMadeUp(status);
        }
        return status.revision() > 0
                && hashOf(status.revision()) != null
                && !has(status.revision(), status.stateHash());
    }
}
