package io.sigma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The table of features names every field of every resource, and tests that exist. */
class FeaturesTest {

    /** A line of the table. */
    private record Row(String feature, List<String> fields, List<String> tests) {}

    private static List<Row> rows = List.of();
    private static NamedTests tests;
    private static JsonNode schemas = new ObjectMapper().createObjectNode();

    @BeforeAll
    static void read() throws IOException {
        rows = Files.readAllLines(NamedTests.ROOT.resolve("docs/features.md")).stream()
                .filter(line -> line.startsWith("| ") && line.contains("`"))
                .map(FeaturesTest::row)
                .toList();
        tests = NamedTests.read();
        JsonNode contract = new ObjectMapper(new YAMLFactory())
                .readTree(NamedTests.ROOT.resolve("openapi/sigma-admin.yaml").toFile());
        schemas = contract.at("/components/schemas");
    }

    private static Row row(String line) {
        String[] cells = NamedTests.cells(line);
        return new Row(cells[1].strip(), NamedTests.code(cells[2]), NamedTests.code(cells[3]));
    }

    @Test
    void everyFieldOfEveryResourceIsAFeature() {
        Set<String> wanted = new TreeSet<>();
        ResourceType.ALL.forEach(type -> collect(type.model().getSimpleName(), wanted));
        rows.forEach(row -> wanted.removeAll(row.fields()));
        assertThat(wanted).as("fields without a row in docs/features.md").isEmpty();
    }

    /** Adds the properties of a schema, and of those that it consists of. */
    private static void collect(String schema, Set<String> found) {
        schemas.path(schema).path("properties").properties().forEach(property -> {
            if (found.add(schema + "." + property.getKey())) {
                property.getValue().findValuesAsText("$ref").forEach(reference -> {
                    String name = reference.substring(reference.lastIndexOf('/') + 1);
                    if (schemas.path(name).has("properties")) {
                        collect(name, found);
                    }
                });
            }
        });
    }

    @Test
    void everyFieldThatIsNamedExists() {
        for (Row row : rows) {
            for (String field : row.fields()) {
                int dot = field.indexOf('.');
                boolean exists = dot > 0
                        && schemas.path(field.substring(0, dot))
                                .path("properties")
                                .has(field.substring(dot + 1));
                assertThat(exists)
                        .as("%s, a field of \"%s\"", field, row.feature())
                        .isTrue();
            }
        }
    }

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        assertThat(rows).hasSizeGreaterThan(50);
        for (Row row : rows) {
            assertThat(row.tests()).as("tests of \"%s\"", row.feature()).isNotEmpty();
            for (String test : row.tests()) {
                assertThat(tests.exists(test))
                        .as("%s, a test of \"%s\"", test, row.feature())
                        .isTrue();
            }
        }
    }
}
