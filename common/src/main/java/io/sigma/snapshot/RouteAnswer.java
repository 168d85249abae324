package io.sigma.snapshot;

import io.sigma.model.GatewayConnectionList;
import io.sigma.model.RouteTestResult;
import org.jspecify.annotations.Nullable;

/**
 * A gateway's answer to a {@link RouteQuestion}.
 *
 * @param id the id of the answered question
 * @param result null when the request could not be tried
 * @param failure why it could not; null when it was
 * @param pointer to what is wrong, in the test or in the whole state; null when nothing in them is
 * @param detail in words; null when it was tried
 * @param connections that match, or the one that is closed; null for an answer about a request
 */
public record RouteAnswer(
        String gatewayId,
        String id,
        @Nullable RouteTestResult result,
        @Nullable Failure failure,
        @Nullable String pointer,
        @Nullable String detail,
        @Nullable GatewayConnectionList connections) {

    /** Why a request could not be tried. */
    public enum Failure {
        /** The gateway serves another revision than the changes start from. */
        BASE,
        /** The configuration to try cannot be served. The pointer is into the whole state. */
        REFUSED,
        /** The test itself means nothing; the pointer is into it. */
        INVALID,
        /** The gateway has too much to do, or failed. */
        FAILED
    }

    /** Returns the answer of a request that was tried. */
    public static RouteAnswer of(RouteQuestion question, RouteTestResult result) {
        return new RouteAnswer(question.gatewayId(), question.id(), result, null, null, null, null);
    }

    /** Returns the answer about connections. */
    public static RouteAnswer of(RouteQuestion question, GatewayConnectionList connections) {
        return new RouteAnswer(question.gatewayId(), question.id(), null, null, null, null, connections);
    }

    /** Returns the answer of one that was not. */
    public static RouteAnswer failed(RouteQuestion question, Failure failure, String pointer, String detail) {
        return new RouteAnswer(question.gatewayId(), question.id(), null, failure, pointer, detail, null);
    }
}
