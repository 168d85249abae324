package io.sigma.controlplane.failure;

import io.sigma.check.Faults;
import io.sigma.model.FieldError;
import io.sigma.value.Mismatch;
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
    public static FailureException invalid(String pointer, Mismatch mismatch) {
        return invalid(Faults.of(pointer, mismatch));
    }

    /** Returns the exception for one error. */
    public static FailureException invalid(FieldError error) {
        return new FailureException(new Failure.Invalid(List.of(error)));
    }

    /** @throws FailureException with {@link Failure.Invalid} when there are {@code errors} */
    public static void refuse(List<FieldError> errors) {
        refuse(errors, Integer.MAX_VALUE);
    }

    /**
     * As {@link #refuse(List)}.
     *
     * @param most how many are told
     */
    public static void refuse(List<FieldError> errors, int most) {
        if (!errors.isEmpty()) {
            throw new FailureException(new Failure.Invalid(errors.subList(0, Math.min(errors.size(), most))));
        }
    }

    public Failure failure() {
        return failure;
    }
}
