package io.sigma.check;

import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.value.InvalidValue;
import io.sigma.value.Mismatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong, each with its pointer. Confined to one check. */
final class Findings {

    private final List<FieldError> errors;
    private final String prefix;

    Findings() {
        this(new ArrayList<>(), "");
    }

    private Findings(List<FieldError> errors, String prefix) {
        this.errors = errors;
        this.prefix = prefix;
    }

    /** Returns findings that add to these, with pointers relative to {@code pointer}. */
    Findings at(Object... pointer) {
        return new Findings(errors, prefix + JsonPointer.of(pointer));
    }

    /** Runs {@code parse} and notes its {@link InvalidValue} under the pointer. */
    void parse(Runnable parse, Object... pointer) {
        try {
            parse.run();
        } catch (InvalidValue e) {
            errors.add(Faults.of(prefix + JsonPointer.of(pointer), e));
        }
    }

    void add(FieldError error) {
        errors.add(Faults.at(prefix + error.pointer(), error));
    }

    void require(boolean holds, Mismatch mismatch, Object... pointer) {
        if (!holds) {
            errors.add(Faults.of(prefix + JsonPointer.of(pointer), mismatch));
        }
    }

    void range(@Nullable Number value, long min, long max, Object... pointer) {
        if (value != null && (value.longValue() < min || value.longValue() > max)) {
            errors.add(
                    Faults.range(prefix + JsonPointer.of(pointer), String.valueOf(value), min, max, min + ".." + max));
        }
    }

    List<FieldError> errors() {
        return List.copyOf(errors);
    }
}
