package io.sigma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each promise of SECURITY.md names tests that exist, and each link leads somewhere. */
class SecurityPageTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)[^)]*\\)");

    private static List<String> lines = List.of();

    @BeforeAll
    static void read() throws IOException {
        lines = Files.readAllLines(ROOT.resolve("SECURITY.md"));
    }

    private static Set<String> tests() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.map(Path::toString)
                    .filter(path -> path.endsWith("Test.java") && path.contains("/src/test/java/"))
                    .map(path -> path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
    }

    /** Returns the rows of the tables that begin with "promised". */
    private static List<String> promises() {
        List<String> rows = new ArrayList<>();
        boolean within = false;
        for (String line : lines) {
            boolean header = line.startsWith("| promised ");
            if (within && line.startsWith("| ") && !line.startsWith("| ---")) {
                rows.add(line);
            }
            within = header || (within && line.startsWith("| "));
        }
        return rows;
    }

    @Test
    void everyPromiseNamesTestsThatExist() throws IOException {
        Set<String> known = tests();
        assertThat(promises()).hasSizeGreaterThan(25).allSatisfy(row -> {
            List<String> named =
                    TEST.matcher(row).results().map(found -> found.group(1)).toList();
            assertThat(named).as(row).isNotEmpty();
            assertThat(known).as(row).containsAll(named);
        });
    }

    @Test
    void everyActorIsPromisedSomething() {
        List<String> actors = lines.stream()
                .dropWhile(line -> !line.equals("## Actors"))
                .takeWhile(line -> !line.equals("## Stranger"))
                .filter(line -> line.startsWith("| ") && !line.startsWith("| ---") && !line.startsWith("| actor "))
                .map(line -> line.split("\\|", -1)[1].strip())
                .toList();
        assertThat(actors).hasSize(8);
        assertThat(lines.stream().map(line -> line.toLowerCase(Locale.ROOT)).toList())
                .containsAll(actors.stream().map(actor -> "## " + actor).toList());
    }

    @Test
    void everyLinkLeadsToAFile() {
        lines.forEach(line -> LINK.matcher(line)
                .results()
                .map(found -> ROOT.resolve(found.group(1)))
                .forEach(file -> assertThat(file).exists()));
    }
}
