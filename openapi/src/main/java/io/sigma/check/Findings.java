package io.sigma.check;

import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.value.InvalidValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong, each with its pointer. Confined to one check. */
final class Findings {

    private final List<FieldError> errors = new ArrayList<>();

    /** Runs {@code parse} and notes its {@link InvalidValue} under the pointer. */
    void parse(Runnable parse, Object... pointer) {
        try {
            parse.run();
        } catch (InvalidValue e) {
            errors.add(new FieldError(JsonPointer.of(pointer), String.valueOf(e.getMessage())));
        }
    }

    void require(boolean holds, String detail, Object... pointer) {
        if (!holds) {
            errors.add(new FieldError(JsonPointer.of(pointer), detail));
        }
    }

    void range(@Nullable Number value, long min, long max, Object... pointer) {
        if (value != null && (value.longValue() < min || value.longValue() > max)) {
            errors.add(new FieldError(JsonPointer.of(pointer), value + " (expected: " + min + ".." + max + ")"));
        }
    }

    List<FieldError> errors() {
        return List.copyOf(errors);
    }
}
