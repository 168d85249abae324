package io.sigma.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import java.io.IOException;

/**
 * Canonical JSON: object keys in order, no white space, absent instead of null. Equal model values have equal canonical
 * bytes; it is RFC 8785 restricted to what the model holds (no floating-point numbers). Thread-safe.
 */
public final class CanonicalJson {

    private static final ObjectWriter WRITER = writer();

    private CanonicalJson() {}

    private static ObjectWriter writer() {
        ObjectMapper mapper = Json.mapper().copy();
        mapper.setConfig(mapper.getSerializationConfig()
                .with(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .without(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
                .with(JsonNodeFeature.WRITE_PROPERTIES_SORTED));
        return mapper.writer().with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
    }

    /** Returns the canonical UTF-8 bytes of a model record. */
    public static byte[] bytes(Object value) {
        try {
            return WRITER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(ParserMessage.of(e), e);
        }
    }

    /** Returns what {@link #bytes} made, as a tree. */
    public static JsonNode tree(byte[] canonical) {
        try {
            return Json.mapper().readTree(canonical);
        } catch (IOException e) {
            throw new IllegalArgumentException("canonical JSON", e);
        }
    }
}
