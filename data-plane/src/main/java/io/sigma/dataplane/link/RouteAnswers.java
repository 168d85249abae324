package io.sigma.dataplane.link;

import io.sigma.model.GatewayConnectionList;
import io.sigma.model.RouteTestResult;
import io.sigma.snapshot.ConnectionQuestion;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import io.sigma.snapshot.RouteQuestion;
import io.vertx.core.Future;

/** Answers questions of control planes about routes, requests and connections. Thread-safe. */
@FunctionalInterface
public interface RouteAnswers {

    /** The gateway serves another revision than the question starts from. */
    @SuppressWarnings("serial")
    final class OtherBase extends RuntimeException {

        private final long revision;

        /** @param revision that is served */
        public OtherBase(long revision) {
            super("the gateway serves revision " + revision, null, false, false);
            this.revision = revision;
        }

        long revision() {
            return revision;
        }
    }

    /**
     * Returns how the request would be handled. Does not wait.
     *
     * @return fails with {@link OtherBase}, with {@link io.sigma.dataplane.snapshot.SnapshotRefused} when what is to be
     *     tried cannot be served, or with anything else when it cannot be found out now
     */
    Future<RouteTestResult> answer(RouteQuestion question);

    /**
     * Returns which requests came lately; does not wait. Nothing is known of them unless this is implemented.
     *
     * @return fails when it cannot be found out now
     */
    default Future<RequestsAnswer> requests(RequestsQuestion question) {
        return Future.failedFuture("no requests are kept");
    }

    /**
     * Returns the open connections that the question selects, or closes the one that it names. Does not wait.
     *
     * @return the one that is closed, none if there is none with its id; fails with {@link
     *     io.sigma.value.InvalidValue} when the address of clients is none
     */
    default Future<GatewayConnectionList> connections(ConnectionQuestion question) {
        return Future.failedFuture("connections are not listed");
    }
}
