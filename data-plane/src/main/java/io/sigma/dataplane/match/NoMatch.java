package io.sigma.dataplane.match;

import io.sigma.dataplane.exchange.ErrorKind;

/**
 * Why no route takes a request.
 *
 * @param allow for {@link ErrorKind#METHOD_NOT_ALLOWED} the value of the Allow field, else empty
 */
public record NoMatch(ErrorKind kind, String allow) {}
