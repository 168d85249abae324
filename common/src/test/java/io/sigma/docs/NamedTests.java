package io.sigma.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tests of the repository, by the names that tables of the documentation give them. */
final class NamedTests {

    /** The repository. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** By the name of the file, with its ending and without that of Java. */
    private final Map<String, List<Path>> files = new HashMap<>();

    static NamedTests read() throws IOException {
        NamedTests tests = new NamedTests();
        try (Stream<Path> all = Files.walk(ROOT)) {
            all.filter(NamedTests::isTest).forEach(tests::add);
        }
        return tests;
    }

    private void add(Path file) {
        String name = file.getFileName().toString();
        String known = name.endsWith(".java") ? name.substring(0, name.length() - ".java".length()) : name;
        files.computeIfAbsent(known, ignored -> new ArrayList<>()).add(file);
    }

    private static boolean isTest(Path file) {
        String path = file.toString();
        boolean source = path.endsWith(".java") && path.contains("/src/test/java/");
        boolean script = path.endsWith(".spec.ts") || path.contains(".test.ts");
        return (source || script) && !path.contains("/node_modules/") && !path.contains("/target/");
    }

    /** Returns the cells of a line of a table, with an empty one before and behind them. */
    static String[] cells(String line) {
        return line.split("(?<!\\\\)\\|", -1);
    }

    /** Returns what a cell has between backticks. */
    static List<String> code(String cell) {
        List<String> found = new ArrayList<>();
        Matcher matcher = CODE.matcher(cell);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    /** Returns whether there is such a test: {@code Class}, {@code Class#method} or a file of the dashboard's. */
    boolean exists(String test) throws IOException {
        int hash = test.indexOf('#');
        String name = hash < 0 ? test : test.substring(0, hash);
        for (Path file : files.getOrDefault(name, List.of())) {
            if (hash < 0 || Files.readString(file).contains(" " + test.substring(hash + 1) + "(")) {
                return true;
            }
        }
        return false;
    }
}
