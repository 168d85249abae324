package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.check.ConsumerCheck;
import io.sigma.check.Faults;
import io.sigma.check.PemCheck;
import io.sigma.check.ResourceCheck;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.json.JsonPointer;
import io.sigma.model.Consumer;
import io.sigma.model.FieldError;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.Mismatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks one resource by itself: contract, text, meaning, and where its nodes point. Thread-safe; does not wait. */
final class ResourceAdmission {

    private final ContractCheck contract;
    private final UpstreamGuard guard;

    ResourceAdmission(ContractCheck contract, UpstreamGuard guard) {
        this.contract = contract;
        this.guard = guard;
    }

    /**
     * Returns the resource that {@code body} describes.
     *
     * @param id the id that the path gives it; null when the body's own counts
     * @throws FailureException with {@link Failure.Invalid}
     */
    <T> T admit(ResourceType<T> type, JsonNode body, @Nullable String id) {
        FailureException.refuse(contract.check(type, body));
        FailureException.refuse(TextCheck.check(body));
        T value = read(type, body);
        String own = type.idIn(value);
        if (id != null && own != null && !own.equals(id)) {
            throw FailureException.invalid("/id", Mismatch.quoted(own, "\"" + id + "\", as in the path"));
        }
        FailureException.refuse(meaning(value));
        T kept = value instanceof Consumer consumer ? type.cast(ConsumerCheck.hashed(consumer)) : value;
        return id == null ? kept : type.withId(kept, id);
    }

    /** Returns everything that is wrong with a resource that did not come as a body; pointers are relative to it. */
    List<FieldError> findings(ResourceType<?> type, Object value, JsonNode body) {
        List<FieldError> errors = contract.check(type, body);
        if (errors.isEmpty()) {
            errors = TextCheck.check(body);
        }
        return errors.isEmpty() ? meaning(value) : errors;
    }

    private List<FieldError> meaning(Object value) {
        List<FieldError> errors = PemCheck.check(value);
        if (errors.isEmpty()) {
            errors = ResourceCheck.check(value);
        }
        return errors.isEmpty() ? guard.check(value) : errors;
    }

    /** The contract holds already; what is left is what JSON Schema does not tell apart, such as 80.0 from 80. */
    private static <T> T read(ResourceType<T> type, JsonNode body) {
        try {
            return type.read(body);
        } catch (IllegalArgumentException e) {
            if (e.getCause() instanceof JsonMappingException mapping) {
                Object[] path = mapping.getPath().stream()
                        .map(part -> part.getFieldName() == null ? (Object) part.getIndex() : part.getFieldName())
                        .toArray();
                String pointer = JsonPointer.of(path);
                JsonNode value = body.at(pointer);
                throw FailureException.invalid(
                        value.isFloatingPointNumber()
                                ? Faults.of(
                                        pointer,
                                        Mismatch.of(
                                                value, "a whole number, written without a fraction and an exponent"))
                                : Faults.plain(pointer, String.valueOf(e.getMessage())));
            }
            throw FailureException.invalid(Faults.plain("", String.valueOf(e.getMessage())));
        }
    }
}
