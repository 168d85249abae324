package io.sigma.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.model.Route;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors of malformed texts name no library and no class. */
final class ParserMessageTest {

    private static final String[] LIBRARIES = {
        "StreamRead",
        "jackson",
        "JsonToken",
        "java.",
        "io.sigma",
        "snakeyaml",
        "Exception",
        "(class",
        "getMax",
        "`StreamReadConstraints"
    };

    static Stream<String> malformed() {
        return Stream.of(
                "[".repeat(101) + "]".repeat(101),
                "[".repeat(5_000),
                "{\"a\":".repeat(101),
                "1".repeat(2_000),
                "{\"" + "n".repeat(60_000) + "\":1}",
                "{",
                "{\"a\":x}",
                "{\"a\":\"\u0001\"}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1e",
                "");
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void noMessageNamesTheLibrary(String text) {
        for (Class<?> type : List.of(JsonNode.class, Route.class)) {
            String said = said(() -> Json.read(text, type));
            assertThat(said).doesNotContain(LIBRARIES);
            assertThat(said(() -> Json.read(text.getBytes(StandardCharsets.UTF_8), type)))
                    .doesNotContain(LIBRARIES);
        }
        try {
            Yaml.read(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            assertThat(ParserMessage.of(e)).doesNotContain(LIBRARIES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String said(Runnable reading) {
        try {
            reading.run();
            return "";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void nestingThatIsTooDeepIsSaidWithItsBound() {
        assertThatThrownBy(() -> Json.read("[".repeat(101) + "]".repeat(101), JsonNode.class))
                .hasMessageContaining("101")
                .hasMessageContaining("100");
    }

    @ParameterizedTest
    @MethodSource("unfit")
    void whatDoesNotFitIsSaidWithoutClasses(String text) {
        assertThatThrownBy(() -> Json.read(text, Route.class))
                .message()
                .isNotBlank()
                .doesNotContain(LIBRARIES);
    }

    static Stream<String> unfit() {
        return Stream.of(
                "{\"methods\":{}}",
                "{\"priority\":\"x\"}",
                "{\"nothing\":1}",
                "{\"enabled\":[]}",
                "[]",
                "\"x\"",
                "{\"headers\":[1]}",
                "{\"id\":{\"a\":1}}");
    }

    @Test
    void nobodyTellsTheMessageOfAParserAsItIs() throws IOException {
        Path root = Path.of("..").toAbsolutePath().normalize();
        for (String module : List.of("common", "control-plane", "data-plane", "deploy/cli", "deploy/standalone")) {
            try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/main/java"))) {
                assertThat(files.filter(file -> file.toString().endsWith(".java"))
                                .filter(file -> !file.endsWith("ParserMessage.java"))
                                .filter(file -> read(file).contains("getOriginalMessage()")))
                        .as("files that should ask ParserMessage")
                        .isEmpty();
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
