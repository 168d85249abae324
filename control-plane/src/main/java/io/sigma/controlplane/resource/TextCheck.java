package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.check.Faults;
import io.sigma.controlplane.store.database.StorableText;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.value.Mismatch;
import java.util.ArrayList;
import java.util.List;

/** Refuses text that PostgreSQL cannot keep (NUL) or that has no UTF-8 form (half of a surrogate pair). Pure. */
final class TextCheck {

    private static final Mismatch DETAIL =
            Mismatch.of("a text with NUL or half a surrogate pair", "a text without them");

    private TextCheck() {}

    static List<FieldError> check(JsonNode body) {
        List<FieldError> errors = new ArrayList<>();
        walk(body, "", errors);
        return errors;
    }

    private static void walk(JsonNode node, String pointer, List<FieldError> errors) {
        if (node.isTextual() && !isClean(node.textValue())) {
            errors.add(Faults.of(pointer, DETAIL));
        }
        if (node.isObject()) {
            node.properties().forEach(field -> {
                String below = pointer + JsonPointer.of(field.getKey());
                if (!isClean(field.getKey())) {
                    errors.add(Faults.of(pointer, DETAIL));
                }
                walk(field.getValue(), below, errors);
            });
        }
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                walk(node.get(i), pointer + "/" + i, errors);
            }
        }
    }

    /** Returns whether {@code text} can be stored as it is. */
    static boolean isClean(String text) {
        return StorableText.isStorable(text)
                && text.codePoints().allMatch(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE);
    }
}
