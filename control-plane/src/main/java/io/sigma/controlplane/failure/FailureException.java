package io.sigma.controlplane.failure;

import io.sigma.model.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries a {@link Failure} to where it is answered. */
public final class FailureException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    public FailureException(Failure failure) {
        this(failure, null);
    }

    public FailureException(Failure failure, @Nullable Throwable cause) {
        super(failure.toString(), cause, false, cause != null);
        this.failure = failure;
    }

    /** Returns the exception for one invalid field. */
    public static FailureException invalid(String pointer, String detail) {
        return new FailureException(new Failure.Invalid(List.of(new FieldError(pointer, detail))));
    }

    public Failure failure() {
        return failure;
    }
}
