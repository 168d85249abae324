package io.sigma.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;

/**
 * The one JSON mapper: unknown fields, duplicate keys and trailing tokens are errors, nulls are not written, instants
 * are ISO 8601. Thread-safe.
 */
public final class Json {

    private static final int NESTING_MAX = 100;

    private static final ObjectMapper MAPPER = mapperOfSigma();

    private Json() {}

    private static ObjectMapper mapperOfSigma() {
        ObjectMapper mapper = JsonMapper.builder()
                .addModule(new JavaTimeModule())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
                .build();
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(NESTING_MAX)
                        .build());
        return mapper;
    }

    /** Returns the shared mapper; callers must not reconfigure it. */
    public static ObjectMapper mapper() {
        return MAPPER;
    }

    /**
     * Returns {@code value} as JSON in UTF-8.
     *
     * @throws IllegalArgumentException when {@code value} cannot be written
     */
    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(ParserMessage.of(e), e);
        }
    }

    /**
     * Returns {@code value} as JSON text.
     *
     * @throws IllegalArgumentException when {@code value} cannot be written
     */
    public static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(ParserMessage.of(e), e);
        }
    }

    /**
     * Returns what {@code json} (UTF-8) says as a {@code type}.
     *
     * @throws IllegalArgumentException when it is malformed or does not fit {@code type}
     */
    public static <T> T read(byte[] json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(ParserMessage.of(e), e);
        } catch (IOException e) {
            // Nothing is read but the array: its octets are no text.
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Returns what {@code json} says as a {@code type}.
     *
     * @throws IllegalArgumentException when it is malformed or does not fit {@code type}
     */
    public static <T> T read(String json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(ParserMessage.of(e), e);
        }
    }

    /**
     * Returns {@code node} as a {@code type}.
     *
     * @throws IllegalArgumentException when it does not fit {@code type}
     */
    public static <T> T read(JsonNode node, Class<T> type) {
        try {
            return MAPPER.treeToValue(node, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(ParserMessage.of(e), e);
        }
    }

    /**
     * Returns what {@code json} (UTF-8) says; missing when it says nothing.
     *
     * @throws JsonProcessingException when it is malformed; {@link TreeTooLarge} when {@code cost} has no room for it
     */
    public static JsonNode read(byte[] json, TreeCost cost) throws IOException {
        Utf8.require(json);
        try (MeteredParser parser = new MeteredParser(MAPPER.getFactory().createParser(json), cost)) {
            JsonNode tree = MAPPER.readTree(parser);
            return tree == null ? MissingNode.getInstance() : tree;
        }
    }

    /** Returns {@code value} as a tree. */
    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }
}
