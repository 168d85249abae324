package io.sigma.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files and packages of every module stay small enough to be read at once. */
final class SourceSizesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> NOT_OURS = Set.of(".git", ".sigma", "node_modules", "target", "dist");

    @ParameterizedTest
    @MethodSource({"main", "tests"})
    void noFileIsTooLong(Path sources) {
        assertThat(new SourceSizes(sources).longFiles()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource({"main", "tests"})
    void noPackageHasTooManyFiles(Path sources) {
        assertThat(new SourceSizes(sources).largePackages()).isEmpty();
    }

    @Test
    void theModulesAreFound() throws IOException {
        assertThat(main())
                .extracting(sources -> ROOT.relativize(sources).toString())
                .contains("common/src/main/java", "data-plane/src/main/java", "deploy/cli/src/main/java");
    }

    /** A class of tests is found by its name: {@code make one TEST=RetryTest}. */
    @Test
    void noTwoClassesOfTestsHaveTheSameName() throws IOException {
        List<String> names = new ArrayList<>();
        for (Path sources : tests()) {
            try (Stream<Path> files = Files.walk(sources)) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith("Test.java") || name.endsWith("Run.java"))
                        .forEach(names::add);
            }
        }
        assertThat(names).doesNotHaveDuplicates();
    }

    private static List<Path> main() throws IOException {
        return folders(Path.of("src/main/java"));
    }

    private static List<Path> tests() throws IOException {
        return folders(Path.of("src/test/java"));
    }

    /** Returns the folders of the repository that end in {@code name}. */
    private static List<Path> folders(Path name) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                if (NOT_OURS.contains(folder.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                if (folder.endsWith(name)) {
                    found.add(folder);
                    return FileVisitResult.SKIP_SUBTREE;
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
