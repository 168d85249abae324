package io.sigma.controlplane;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Files and packages of the control plane stay small enough to be read at once. */
final class SourceSizesTest {

    private static final Path SOURCES = Path.of("src/main/java/io/sigma/controlplane");

    private static final long LINES_MAX = 400;
    private static final long FILES_MAX = 30;

    /** Files that are longer at present, in lines. Each may only shrink. */
    private static final Map<String, Long> LONG_FILES = Map.of();

    /** Packages that are larger at present, in files. Each may only shrink. */
    private static final Map<String, Long> LARGE_PACKAGES = Map.of();

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(SOURCES::relativize)
                    .toList();
        }
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(SOURCES.resolve(file))) {
            return lines.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, Long> above(Map<String, Long> sizes, long max, Map<String, Long> known) {
        return sizes.entrySet().stream()
                .filter(size -> size.getValue() > known.getOrDefault(size.getKey(), max))
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Test
    void noFileIsTooLong() throws IOException {
        Map<String, Long> lines = files().stream().collect(toMap(Path::toString, SourceSizesTest::lines));

        assertThat(lines).isNotEmpty();
        assertThat(above(lines, LINES_MAX, LONG_FILES)).isEmpty();
    }

    @Test
    void noPackageHasTooManyFiles() throws IOException {
        Map<String, Long> files =
                files().stream().collect(groupingBy(file -> String.valueOf(file.getParent()), counting()));

        assertThat(files).isNotEmpty();
        assertThat(above(files, FILES_MAX, LARGE_PACKAGES)).isEmpty();
    }
}
