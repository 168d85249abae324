package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.exchange.ErrorKind;

/**
 * A message that breaks a rule, with what a client would be told; without a stack, because clients cause it at will.
 */
final class InvalidMessage extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;

    /**
     * @param detail which part of the message, for logs
     */
    InvalidMessage(ErrorKind kind, String detail) {
        super(detail, null, false, false);
        this.kind = kind;
    }

    static InvalidMessage malformed(String detail) {
        return new InvalidMessage(ErrorKind.BAD_REQUEST, detail);
    }

    ErrorKind kind() {
        return kind;
    }
}
