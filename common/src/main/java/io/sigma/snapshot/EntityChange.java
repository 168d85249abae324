package io.sigma.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import org.jspecify.annotations.Nullable;

/**
 * An entity after a change.
 *
 * @param resource the model record of {@code kind} with its id; null when it was deleted
 */
@JsonDeserialize(using = EntityChangeReader.class)
public record EntityChange(Kind kind, String id, @Nullable Object resource) {

    /** Returns the change that a stored body describes. */
    public static EntityChange of(Kind kind, String id, @Nullable JsonNode resource) {
        Object value = resource == null || resource.isNull()
                ? null
                : Json.read(resource, ResourceType.of(kind).model());
        return new EntityChange(kind, id, value);
    }
}
