package io.sigma.dataplane.match;

/**
 * The subject of a condition: a header field, a query parameter or a cookie.
 *
 * @param name of a header field in lower case
 */
record Subject(Source source, String name) {

    /** Where a value comes from. */
    enum Source {
        HEADER,
        QUERY_PARAMETER,
        COOKIE
    }
}
