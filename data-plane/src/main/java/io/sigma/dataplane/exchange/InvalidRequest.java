package io.sigma.dataplane.exchange;

/** The head of a request breaks a rule of HTTP, or cannot be matched in time. */
public final class InvalidRequest extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;

    public InvalidRequest(ErrorKind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public ErrorKind kind() {
        return kind;
    }
}
