package io.sigma.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Vert.x may change its internal classes in any version, so few files of the gateway know them. */
final class VertxInternalsTest {

    private static final int IMPORTS_MAX = 12;
    private static final Pattern IMPORT = Pattern.compile("^import (io\\.vertx\\.\\S+\\.(?:impl|internal)\\.\\S+);$");

    @Test
    void fewImportsAreInternal() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            List<String> found = files.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(VertxInternalsTest::imports)
                    .toList();
            assertThat(found).isNotEmpty().hasSizeLessThanOrEqualTo(IMPORTS_MAX);
        }
    }

    private static Stream<String> imports(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .map(IMPORT::matcher)
                    .filter(line -> line.matches())
                    .map(line -> file.getFileName() + ": " + line.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
