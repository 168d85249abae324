package io.sigma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each plugin of the contract has a page that the index lists, that describes its fields, and that names its test. */
class PluginPagesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path PAGES = ROOT.resolve("docs/plugins");

    /** {@code | Phase | [Title](page.md) | `property` | …}. */
    private static final Pattern ROW =
            Pattern.compile("^\\| [^|]+ \\| \\[[^]]+]\\(([a-z-]+\\.md)\\) \\| `([A-Za-z]+)` \\|");

    private static JsonNode schemas = new ObjectMapper().createObjectNode();
    private static final Map<String, Path> LISTED = new TreeMap<>();

    @BeforeAll
    static void read() throws IOException {
        schemas = new ObjectMapper(new YAMLFactory())
                .readTree(ROOT.resolve("openapi/sigma-admin.yaml").toFile())
                .at("/components/schemas");
        for (String line : Files.readAllLines(PAGES.resolve("README.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.find()) {
                LISTED.put(row.group(2), PAGES.resolve(row.group(1)));
            }
        }
    }

    @Test
    void everyPluginIsListedOnceWithItsPage() {
        Map<String, JsonNode> plugins = new TreeMap<>();
        schemas.at("/Plugins/properties")
                .properties()
                .forEach(plugin -> plugins.put(plugin.getKey(), plugin.getValue()));
        // Those of others have pages of their own.
        plugins.remove("extensions");
        assertThat(LISTED.keySet()).containsExactlyElementsOf(plugins.keySet());
        assertThat(LISTED.values()).doesNotHaveDuplicates().allMatch(Files::isRegularFile);
    }

    @Test
    void everyPageDescribesEachFieldAndNamesItsTest() throws IOException {
        for (Map.Entry<String, Path> plugin : LISTED.entrySet()) {
            String page = Files.readString(plugin.getValue());
            String reference = schemas.at("/Plugins/properties/" + plugin.getKey() + "/$ref")
                    .asText();
            String schema = reference.substring(reference.lastIndexOf('/') + 1);
            assertThat(schemas.path(schema).path("properties").fieldNames())
                    .toIterable()
                    .as("fields of %s that %s lacks", schema, plugin.getValue().getFileName())
                    .isNotEmpty()
                    .allMatch(field -> page.contains("| `" + field + "` |"));
            assertThat(page)
                    .as("%s", plugin.getValue().getFileName())
                    .startsWith("# ")
                    .contains("\"" + plugin.getKey() + "\":")
                    .contains("\nProven by `");
        }
    }
}
