package io.sigma.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The regular expressions of java.util.regex that the classes of a module use, as their bytecode has them. */
final class Expressions {

    /** What stands for an expression that is made while the program runs. */
    static final String MADE = "(made)";

    private static final Set<String> OF_STRINGS = Set.of("matches", "replaceAll", "replaceFirst", "split");

    private Expressions() {}

    /** Returns each place as the name of the class, a space and the expression. */
    static Set<String> of(Class<?> anyOfModule) {
        Set<String> found = new TreeSet<>();
        try {
            Path place = Path.of(anyOfModule
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isDirectory(place)) {
                walk(place, found);
            } else {
                try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
                    walk(jar.getPath("/"), found);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        return found;
    }

    private static void walk(Path root, Set<String> found) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(any -> any.toString().endsWith(".class")).toList()) {
                ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
                String name = model.thisClass().asInternalName().replace('/', '.');
                for (MethodModel method : model.methods()) {
                    method.code().ifPresent(code -> code.forEach(new Reader(name, found)::take));
                }
            }
        }
    }

    /** Reads the instructions of one method. */
    private static final class Reader {

        private final String name;
        private final Set<String> found;

        /** Texts that were loaded since the last expression. */
        private final List<String> texts = new ArrayList<>();

        Reader(String name, Set<String> found) {
            this.name = name;
            this.found = found;
        }

        void take(CodeElement element) {
            if (element instanceof ConstantInstruction constant && constant.constantValue() instanceof String text) {
                texts.add(text);
            } else if (element instanceof InvokeInstruction call && isExpression(call)) {
                boolean replaces = call.name().stringValue().startsWith("replace");
                int place = texts.size() - (replaces && texts.size() > 1 ? 2 : 1);
                String expression = place < 0 ? MADE : texts.get(place);
                texts.clear();
                if (!call.name().equalsString("split") || !isPlain(expression)) {
                    found.add(name + " " + expression);
                }
            }
        }

        private static boolean isExpression(InvokeInstruction call) {
            String owner = call.owner().asInternalName();
            String method = call.name().stringValue();
            boolean first = call.typeSymbol().parameterCount() > 0
                    && call.typeSymbol().parameterType(0).descriptorString().equals("Ljava/lang/String;");
            return first
                    && ((owner.equals("java/util/regex/Pattern")
                                    && (method.equals("compile") || method.equals("matches")))
                            || (owner.equals("java/lang/String") && OF_STRINGS.contains(method)));
        }

        /** Returns whether a text is split without an expression. */
        private static boolean isPlain(String text) {
            return text.length() == 1 || (text.length() == 2 && text.startsWith("\\"));
        }
    }
}
