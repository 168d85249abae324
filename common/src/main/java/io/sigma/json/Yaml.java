package io.sigma.json;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * YAML for what is JSON elsewhere: one document, the same values, and neither duplicate keys nor anchors, which would
 * let a small text stand for a large one. Thread-safe.
 */
public final class Yaml {

    private static final int NESTING_MAX = 100;

    /** Texts that readers of YAML 1.1 take for a boolean, a number in base 60, or the merge key. */
    private static final Pattern AMBIGUOUS = Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null|~|<<|=|[-+0-9.].*");

    private static final YAMLMapper WRITER = YAMLMapper.builder(YAMLFactory.builder()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.SPLIT_LINES)
                    .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                    .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                    .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
                    .stringQuotingChecker(new StringQuotingChecker.Default() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public boolean needToQuoteValue(String value) {
                            return isAmbiguous(value) || super.needToQuoteValue(value);
                        }

                        @Override
                        public boolean needToQuoteName(String name) {
                            return isAmbiguous(name) || super.needToQuoteName(name);
                        }
                    })
                    .build())
            .build();

    private Yaml() {}

    /** Line ends of Unicode are folded unless they are escaped, and so would a name with any be. */
    private static boolean isAmbiguous(String text) {
        return AMBIGUOUS.matcher(text).matches() || text.chars().anyMatch(Yaml::isBreak);
    }

    private static boolean isBreak(int c) {
        return Character.isISOControl(c) || c == 0x2028 || c == 0x2029 || c == 0xfeff;
    }

    /** Returns {@code tree} as YAML in UTF-8. */
    public static byte[] bytes(JsonNode tree) {
        try {
            return WRITER.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(ParserMessage.of(e), e);
        }
    }

    /**
     * Returns what {@code yaml} (UTF-8) says; missing when it says nothing.
     *
     * @throws JsonProcessingException when it is malformed
     */
    public static JsonNode read(byte[] yaml) throws IOException {
        return read(yaml, bytes -> true);
    }

    /**
     * As {@link #read(byte[])}, within {@code cost}.
     *
     * @throws TreeTooLarge when {@code cost} has no room for it
     */
    public static JsonNode read(byte[] yaml, TreeCost cost) throws IOException {
        Utf8.require(yaml);
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(0);
        options.setNestingDepthLimit(NESTING_MAX);
        options.setCodePointLimit(yaml.length + 1);
        YAMLFactory factory = YAMLFactory.builder()
                .loaderOptions(options)
                .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(NESTING_MAX)
                        .build())
                .build();
        YAMLMapper mapper = YAMLMapper.builder(factory)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        try (WithoutAliases parser = new WithoutAliases(factory.createParser(yaml), cost)) {
            JsonNode tree = mapper.readTree(parser);
            if (parser.nextToken() != null) {
                throw new JsonParseException(parser, "a second document (expected: one)");
            }
            return tree == null ? MissingNode.getInstance() : tree;
        }
    }

    /** Refuses aliases: a tree would have the name of the anchor in place of its value. */
    private static final class WithoutAliases extends MeteredParser {

        private final YAMLParser yaml;

        WithoutAliases(YAMLParser yaml, TreeCost cost) {
            super(yaml, cost);
            this.yaml = yaml;
        }

        @Override
        public @Nullable JsonToken nextToken() throws IOException {
            JsonToken token = super.nextToken();
            if (token == JsonToken.VALUE_STRING && yaml.isCurrentAlias()) {
                throw new JsonParseException(this, "an alias, *" + yaml.getText() + " (expected: the value itself)");
            }
            return token;
        }
    }
}
