package io.sigma.controlplane.store.vote;

import io.sigma.model.GatewayVote;
import java.util.List;

/** Gateways being asked about one write. Exactly one of the two endings is told. */
public interface Poll {

    /** Nobody was asked. */
    Poll NONE = new Poll() {
        @Override
        public List<GatewayVote> votes() {
            return List.of();
        }

        @Override
        public void committed() {
            // Nobody waits for it.
        }

        @Override
        public void withdrawn() {
            // Nobody keeps anything.
        }
    };

    /**
     * Waits, for a bounded time, and returns what each gateway said, ordered by id.
     *
     * @throws io.sigma.controlplane.failure.FailureException with {@link
     *     io.sigma.controlplane.failure.Failure.RefusedByGateway} when one refuses; with {@link
     *     io.sigma.controlplane.failure.Failure.Unavailable} when the vote of one that is silent is required
     */
    List<GatewayVote> votes();

    /** The write is committed, or may be. */
    void committed();

    /** The write is not committed: gateways keep nothing of it. */
    void withdrawn();
}
