package io.sigma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Classes, methods and lines of code that pages name are in the code, and links lead to files. */
class ClassNamesTest {

    private static final Path ROOT = NamedTests.ROOT;

    /** A class with at least two capitals, behind packages and before a method: {@code flow.Forwarding.pick}. */
    private static final Pattern NAME =
            Pattern.compile("((?:[a-z]\\w*\\.)*)([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)(?:[.#]([a-z]\\w*))?");

    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w+)");
    private static final Pattern COMPONENT = Pattern.compile("export function ([A-Z]\\w+)");
    private static final Pattern LINK = Pattern.compile("(?:`([^`]+)`)?]\\(([^)\\s#]+)[^)]*\\)");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```");

    /** Names outside the repository: of the JDK, of systemd, and of a unit. */
    private static final Set<String> FOREIGN =
            Set.of("ExecReload", "MiB", "RandomGenerator", "ServiceLoader", "TimeoutStopSec", "WebSocket");

    private static final Map<Path, String> PAGES = new HashMap<>();

    /** Files of Java by the name of their class. */
    private static final Map<String, List<Path>> CLASSES = new HashMap<>();

    private static final Set<String> SCHEMAS = new HashSet<>();

    /** Names that have no file of their own: nested types, components of the dashboard, names of others. */
    private static final Set<String> OTHERS = new HashSet<>(FOREIGN);

    @BeforeAll
    static void read() throws IOException {
        for (Path file : sources()) {
            String name = file.getFileName().toString();
            if (name.endsWith(".java")) {
                CLASSES.computeIfAbsent(name.replace(".java", ""), ignored -> new ArrayList<>())
                        .add(file);
                add(TYPE, file);
            } else if (name.endsWith(".tsx")) {
                add(COMPONENT, file);
            } else if (!file.startsWith(ROOT.resolve("docs/adr")) && !name.equals("CHANGELOG.md")) {
                PAGES.put(ROOT.relativize(file), Files.readString(file));
            }
        }
        JsonNode schemas = new ObjectMapper(new YAMLFactory())
                .readTree(ROOT.resolve("openapi/sigma-admin.yaml").toFile())
                .at("/components/schemas");
        schemas.fieldNames().forEachRemaining(SCHEMAS::add);
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().matches(".*\\.(java|tsx|md)"))
                    .filter(file -> !file.toString().matches(".*/(target|node_modules|\\.\\w+)/.*"))
                    .toList();
        }
    }

    private static void add(Pattern pattern, Path file) throws IOException {
        pattern.matcher(Files.readString(file)).results().forEach(match -> OTHERS.add(match.group(1)));
    }

    @Test
    void everyClassThatAPageNamesExists() {
        List<String> unknown = new ArrayList<>();
        List<String> named = new ArrayList<>();
        PAGES.forEach((page, text) -> NamedTests.code(BLOCK.matcher(text).replaceAll(""))
                .forEach(code -> {
                    Matcher name = NAME.matcher(code);
                    if (name.matches()) {
                        named.add(code);
                        if (!exists(name.group(1), name.group(2), name.group(3))) {
                            unknown.add(page + ": " + code);
                        }
                    }
                }));
        assertThat(named).hasSizeGreaterThan(500);
        assertThat(unknown).isEmpty();
    }

    /** The drawings at the head of the two pages name classes without backticks. */
    @Test
    void everyClassOfADrawingExists() {
        List<String> unknown = new ArrayList<>();
        for (String page : List.of("docs/life-of-a-request.md", "docs/life-of-a-change.md")) {
            MatchResult drawing = BLOCK.matcher(PAGES.get(Path.of(page)))
                    .results()
                    .findFirst()
                    .orElseThrow();
            NAME.matcher(drawing.group())
                    .results()
                    .filter(name -> !exists("", name.group(2), name.group(3)))
                    .forEach(name -> unknown.add(page + ": " + name.group()));
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void everyLinkOfAPageLeadsToAFile() {
        List<String> dead = new ArrayList<>();
        PAGES.forEach((page, text) -> {
            for (MatchResult link : links(BLOCK.matcher(text).replaceAll(""))) {
                Path file = target(page, link);
                if (!Files.exists(file)) {
                    dead.add(page + ": " + link.group(2));
                } else if (file.toString().endsWith(".java") && !isNamed(link.group(1), file)) {
                    dead.add(page + ": " + link.group(1) + " is not in " + link.group(2));
                }
            }
        });
        assertThat(dead).isEmpty();
    }

    /** A table that says where to look has a link to a file, and a piece of the line in its last cell. */
    @Test
    void everyLineThatAPageShowsIsInItsFile() throws IOException {
        int lines = 0;
        for (String page : List.of("docs/life-of-a-request.md", "docs/life-of-a-change.md")) {
            for (String row : PAGES.get(Path.of(page)).lines().toList()) {
                if (row.startsWith("| ") && row.contains(".java)")) {
                    String[] cells = NamedTests.cells(row);
                    Path file = target(Path.of(page), links(row).getFirst());
                    for (String code : NamedTests.code(cells[cells.length - 2])) {
                        assertThat(Files.readString(file)).as(row).contains(code);
                        lines++;
                    }
                }
            }
        }
        assertThat(lines).isGreaterThan(5);
    }

    private static List<MatchResult> links(String text) {
        return LINK.matcher(text)
                .results()
                .filter(link -> !link.group(2).matches("[a-z]+:.*"))
                .toList();
    }

    private static Path target(Path page, MatchResult link) {
        return ROOT.resolve(page).resolveSibling(link.group(2)).normalize();
    }

    /** Returns whether the text of a link, if it is code, names the class of {@code file} and a method in it. */
    private static boolean isNamed(@Nullable String text, Path file) {
        if (text == null) {
            return true;
        }
        String[] names = text.replaceFirst("^(?:[a-z]\\w*\\.)+", "").split("\\.", -1);
        return file.endsWith(names[0] + ".java") && (names.length == 1 || has(file, names[1]));
    }

    private static boolean exists(String packages, String type, @Nullable String method) {
        // ContractFieldNamesTest checks the fields of schemas.
        if (SCHEMAS.contains(type) || (OTHERS.contains(type) && !CLASSES.containsKey(type))) {
            return true;
        }
        String path = "/" + packages.replace('.', '/') + type + ".java";
        return CLASSES.getOrDefault(type, List.of()).stream()
                .filter(file -> file.toString().endsWith(path))
                .anyMatch(file -> method == null || has(file, method));
    }

    private static boolean has(Path file, String method) {
        try {
            return Pattern.compile("\\b" + method + "\\b")
                    .matcher(Files.readString(file))
                    .find();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
