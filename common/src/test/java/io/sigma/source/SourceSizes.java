package io.sigma.source;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The lengths of a module's sources, and their number in each package.
 *
 * @param root the folder of the sources
 */
record SourceSizes(Path root) {

    private static final long LINES_MAX = 400;
    private static final long FILES_MAX = 30;

    /** Returns the files that have more than 400 lines, in lines, by path. */
    Map<String, Long> longFiles() {
        return above(files().stream().collect(toMap(Path::toString, this::lines)), LINES_MAX);
    }

    /** Returns the packages that have more than 30 files, in files, by path. */
    Map<String, Long> largePackages() {
        return above(
                files().stream().collect(groupingBy(file -> String.valueOf(file.getParent()), counting())), FILES_MAX);
    }

    private List<Path> files() {
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> java = files.filter(file -> file.toString().endsWith(".java"))
                    .map(root::relativize)
                    .toList();
            if (java.isEmpty()) {
                throw new AssertionError(root + " has no sources");
            }
            return java;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long lines(Path file) {
        try (Stream<String> lines = Files.lines(root.resolve(file))) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Long> above(Map<String, Long> sizes, long max) {
        return sizes.entrySet().stream()
                .filter(size -> size.getValue() > max)
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
