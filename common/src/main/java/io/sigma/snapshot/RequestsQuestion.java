package io.sigma.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * A question to one gateway about its last requests.
 *
 * @param id random: only a gateway that knows it can answer
 * @param requests the filter that requests have to match
 * @param watch whether the gateway is to keep more of them from now on, for {@value #LEASE_SECONDS} s after each such
 *     question
 * @param after {@link RequestsAnswer#next()} of the answer before; null for the first question
 * @param limit how many requests at most
 */
public record RequestsQuestion(
        String id,
        String gatewayId,
        RequestFilter requests,
        boolean watch,
        @Nullable String after,
        int limit) {

    /** By its presence a gateway tells such a question from a {@link RouteQuestion}. */
    public static final String FIELD = "requests";

    /** The time for which a gateway keeps the larger sample after a question, in seconds. */
    public static final int LEASE_SECONDS = 10;

    /** The most that one answer has. */
    public static final int LIMIT_MAX = 200;
}
