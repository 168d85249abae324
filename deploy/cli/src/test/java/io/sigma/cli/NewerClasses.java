package io.sigma.cli;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Copies a library whose class files are of Java 5, and gives them the version and the stack maps of Java 8. The JVM
 * takes classes of before Java 6 into no AOT cache, so each start would load and verify them. Their code stays as it
 * is. The build runs it.
 */
final class NewerClasses {

    private static final String SUFFIX = ".class";

    private NewerClasses() {}

    /**
     * @param args a class of the library, and the folder in which the copy is written, with the name of the jar
     */
    public static void main(String[] args) throws Exception {
        Path jar = Path.of(Class.forName(args[0])
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path folder = Files.createDirectories(Path.of(args[1]));
        copy(jar, folder.resolve(jar.getFileName()));
    }

    static void copy(Path from, Path to) throws IOException {
        try (JarFile jar = new JarFile(from.toFile());
                JarOutputStream copy = new JarOutputStream(Files.newOutputStream(to))) {
            ClassFile format = ClassFile.of(
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(
                            ClassHierarchyResolver.ofResourceParsing(type -> open(jar, type))
                                    .orElse(ClassHierarchyResolver.defaultResolver())));
            for (JarEntry entry : Collections.list(jar.entries())) {
                byte[] bytes;
                try (InputStream in = jar.getInputStream(entry)) {
                    bytes = in.readAllBytes();
                }
                JarEntry same = new JarEntry(entry.getName());
                same.setTime(entry.getTime());
                copy.putNextEntry(same);
                copy.write(entry.getName().endsWith(SUFFIX) ? newer(format, bytes) : bytes);
                copy.closeEntry();
            }
        }
    }

    private static byte[] newer(ClassFile format, byte[] bytes) {
        ClassModel model = format.parse(bytes);
        if (model.majorVersion() >= ClassFile.JAVA_8_VERSION) {
            return bytes;
        }
        // Code that is passed on as a whole would keep its missing stack maps.
        return format.transformClass(
                model,
                ClassTransform.transformingMethodBodies((code, element) -> code.with(element))
                        .andThen(ClassTransform.endHandler(type -> type.withVersion(ClassFile.JAVA_8_VERSION, 0))));
    }

    private static InputStream open(JarFile jar, ClassDesc type) {
        String descriptor = type.descriptorString();
        JarEntry entry = jar.getJarEntry(descriptor.substring(1, descriptor.length() - 1) + SUFFIX);
        try {
            return entry == null ? null : jar.getInputStream(entry);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
