package io.sigma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The table of features names every field of every resource; it and the tables of HTTP name tests that exist. */
class FeaturesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** One line of the table. */
    private record Row(String feature, List<String> fields, List<String> tests) {}

    private static List<Row> rows = List.of();
    private static List<Path> tests = List.of();
    private static JsonNode schemas = new ObjectMapper().createObjectNode();

    @BeforeAll
    static void read() throws IOException {
        rows = Files.readAllLines(ROOT.resolve("docs/features.md")).stream()
                .filter(line -> line.startsWith("| ") && line.contains("`"))
                .map(FeaturesTest::row)
                .toList();
        try (Stream<Path> files = Files.walk(ROOT)) {
            tests = files.filter(FeaturesTest::isTest).toList();
        }
        JsonNode contract = new ObjectMapper(new YAMLFactory())
                .readTree(ROOT.resolve("openapi/sigma-admin.yaml").toFile());
        schemas = contract.at("/components/schemas");
    }

    private static Row row(String line) {
        String[] cells = line.split("(?<!\\\\)\\|", -1);
        return new Row(cells[1].strip(), code(cells[2]), code(cells[3]));
    }

    private static List<String> code(String cell) {
        List<String> found = new ArrayList<>();
        Matcher matcher = CODE.matcher(cell);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    private static boolean isTest(Path file) {
        String path = file.toString();
        boolean source = path.endsWith(".java") && path.contains("/src/test/java/");
        boolean script = path.endsWith(".spec.ts") || path.contains(".test.ts");
        return (source || script) && !path.contains("/node_modules/") && !path.contains("/target/");
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
                assertThat(exists(test))
                        .as("%s, a test of \"%s\"", test, row.feature())
                        .isTrue();
            }
        }
    }

    @Test
    void everyRowOfTheTablesOfHttpNamesTestsThatExist() throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve("docs/http.md")).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| --- ") && !line.startsWith("| input "))
                .toList();
        assertThat(lines).hasSizeGreaterThan(50);
        for (String line : lines) {
            String[] cells = line.split("(?<!\\\\)\\|", -1);
            assertThat(cells).as(line).hasSize(6);
            List<String> named = code(cells[4]);
            assertThat(named).as("tests of \"%s\"", cells[1].strip()).isNotEmpty();
            for (String test : named) {
                assertThat(exists(test))
                        .as("%s, a test of \"%s\"", test, cells[1].strip())
                        .isTrue();
            }
        }
    }

    private static boolean exists(String test) throws IOException {
        int hash = test.indexOf('#');
        String name = hash < 0 ? test : test.substring(0, hash);
        for (Path file : tests) {
            String fileName = file.getFileName().toString();
            if (fileName.equals(name) || fileName.equals(name + ".java")) {
                return hash < 0 || Files.readString(file).contains(" " + test.substring(hash + 1) + "(");
            }
        }
        return false;
    }
}
