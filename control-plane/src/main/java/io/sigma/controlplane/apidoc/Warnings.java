package io.sigma.controlplane.apidoc;

import io.sigma.check.Faults;
import io.sigma.model.FieldError;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a document that the configuration cannot express. Bounded, as a short document can refer many times to
 * what is long in it. Confined to one reading.
 */
final class Warnings {

    private static final int COUNT_MAX = 1_000;
    private static final int TEXT_LENGTH_MAX = 4_096;

    private final List<FieldError> warnings = new ArrayList<>();

    /** Adds a warning, unless there are too many; a text that is too long is cut. */
    void add(String pointer, String detail) {
        if (!isFull()) {
            warnings.add(Faults.warning(cut(pointer, TEXT_LENGTH_MAX), cut(detail, TEXT_LENGTH_MAX)));
        }
    }

    /** Returns whether further ones are left out. */
    boolean isFull() {
        return warnings.size() >= COUNT_MAX;
    }

    List<FieldError> all() {
        return List.copyOf(warnings);
    }

    /** Returns at most the first {@code max} characters of {@code text}. */
    static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
    }
}
