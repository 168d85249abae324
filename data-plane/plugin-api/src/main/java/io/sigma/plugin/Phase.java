package io.sigma.plugin;

/**
 * When a filter sees a request. Filters of plugins that are not part of Sigma come after Sigma's own of the phase, by
 * name. Responses pass the filters in the same order.
 */
public enum Phase {
    /** Ids and traces, which everything after it may write down. */
    OBSERVATION,
    /** Admission of clients by address. */
    ADDRESS,
    /** Answers that need no identity: redirects to https, CORS. */
    REDIRECT,
    /** The identity of the client. */
    AUTHENTICATION,
    /** The rights of that client. */
    AUTHORIZATION,
    /** Limits of the rate and size of requests. */
    LIMIT,
    /** Answers that stand in for the node: injected faults, mock responses. */
    STAND_IN,
    /** Changes of the request and of the response. */
    TRANSFORMATION,
    /** Content that the gateway has itself. */
    CONTENT
}
