package io.sigma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Fields that the docs name, such as {@code Upstream.tls.certificateId}, are fields of the contract. */
final class ContractFieldNamesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern FIELD = Pattern.compile("`([A-Z][A-Za-z0-9]+)((?:\\.[a-z][A-Za-z0-9]*(?:\\[])?)+)`");
    private static final String REFERENCE = "#/components/schemas/";

    @Test
    void everyFieldThatTheDocsNameIsThere() throws IOException {
        JsonNode schemas = new ObjectMapper(new YAMLFactory())
                .readTree(ROOT.resolve("openapi/sigma-admin.yaml").toFile())
                .at("/components/schemas");
        List<String> unknown = new ArrayList<>();
        int named = 0;
        for (Path page : pages()) {
            for (MatchResult match :
                    FIELD.matcher(Files.readString(page)).results().toList()) {
                // Classes of Java are named as well.
                if (schemas.has(match.group(1))) {
                    named++;
                    if (!isThere(schemas, match.group(1), match.group(2).substring(1))) {
                        unknown.add(ROOT.relativize(page) + ": " + match.group());
                    }
                }
            }
        }
        assertThat(named).isGreaterThan(100);
        assertThat(unknown).isEmpty();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("SECURITY.md")));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith(ROOT.resolve("docs/adr")))
                    .forEach(pages::add);
        }
        return pages;
    }

    private static boolean isThere(JsonNode schemas, String schema, String path) {
        JsonNode at = schemas.path(schema);
        for (String name : path.replace("[]", "").split("\\.", -1)) {
            at = resolved(schemas, at).path("properties").path(name);
        }
        return !at.isMissingNode();
    }

    private static JsonNode resolved(JsonNode schemas, JsonNode schema) {
        String reference = schema.path("$ref").asText();
        if (reference.startsWith(REFERENCE)) {
            return resolved(schemas, schemas.path(reference.substring(REFERENCE.length())));
        }
        return schema.has("items") ? resolved(schemas, schema.path("items")) : schema;
    }
}
