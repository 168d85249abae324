package io.sigma.format;

import io.sigma.model.FieldError;
import java.util.List;
import java.util.stream.Collectors;

/** A file that cannot be used; each error has its pointer into the file, and the message lists them, a line each. */
public final class SigmaJsonRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<FieldError> errors;

    public SigmaJsonRefused(List<FieldError> errors) {
        super(
                errors.stream()
                        .map(error -> (error.pointer().isEmpty() ? "" : error.pointer() + ": ") + error.detail())
                        .collect(Collectors.joining("\n")),
                null,
                false,
                false);
        this.errors = List.copyOf(errors);
    }

    public List<FieldError> errors() {
        return errors;
    }
}
