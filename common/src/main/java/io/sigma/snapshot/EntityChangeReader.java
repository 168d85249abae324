package io.sigma.snapshot;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads an {@link EntityChange}: the type of its resource follows from its kind, which comes before it. A full state
 * has very many of them, so no tree is made in between.
 */
final class EntityChangeReader extends StdDeserializer<EntityChange> {

    private static final long serialVersionUID = 1L;

    private static final Map<Kind, ObjectReader> READERS = new EnumMap<>(Kind.class);

    static {
        for (ResourceType<?> type : ResourceType.ALL) {
            // More changes follow.
            READERS.put(
                    type.kind(),
                    Json.mapper().readerFor(type.model()).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS));
        }
    }

    EntityChangeReader() {
        super(EntityChange.class);
    }

    @Override
    public EntityChange deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        if (!parser.isExpectedStartObjectToken()) {
            return context.reportInputMismatch(this, "a change: %s (expected: an object)", parser.currentToken());
        }
        Kind kind = null;
        String id = "";
        Object resource = null;
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            switch (field) {
                case "kind" -> kind = Kind.valueOf(parser.getText());
                case "id" -> id = parser.getText();
                case "resource" -> resource = value == JsonToken.VALUE_NULL ? null : resource(kind, parser, context);
                default -> parser.skipChildren();
            }
        }
        return kind == null
                ? context.reportInputMismatch(this, "a change of \"%s\" without a kind", id)
                : new EntityChange(kind, id, resource);
    }

    private Object resource(@Nullable Kind kind, JsonParser parser, DeserializationContext context) throws IOException {
        if (kind == null) {
            return context.reportInputMismatch(this, "a change whose resource comes before its kind");
        }
        return Objects.requireNonNull(READERS.get(kind)).readValue(parser);
    }
}
