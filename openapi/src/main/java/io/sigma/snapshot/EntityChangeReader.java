package io.sigma.snapshot;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import io.sigma.model.Kind;
import java.io.IOException;

/** Reads an {@link EntityChange}: the type of its resource follows from its kind. */
final class EntityChangeReader extends StdDeserializer<EntityChange> {

    private static final long serialVersionUID = 1L;

    EntityChangeReader() {
        super(EntityChange.class);
    }

    @Override
    public EntityChange deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        JsonNode node = context.readTree(parser);
        Kind kind = Kind.valueOf(node.path("kind").asText());
        return EntityChange.of(kind, node.path("id").asText(), node.get("resource"));
    }
}
