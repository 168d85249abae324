package io.sigma.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The copy of picocli that the distribution has. */
final class NewerClassesTest {

    @TempDir
    Path folder;

    private Path copy() throws Exception {
        NewerClasses.main(new String[] {CommandLine.class.getName(), folder.toString()});
        return folder.resolve(Path.of(CommandLine.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .getFileName());
    }

    @Test
    void everyClassCanBeInAnAotCache() throws Exception {
        try (JarFile jar = new JarFile(copy().toFile())) {
            int classes = 0;
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().endsWith(".class")) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        ClassModel model = ClassFile.of().parse(in.readAllBytes());
                        assertThat(model.majorVersion())
                                .as(entry.getName())
                                .isGreaterThanOrEqualTo(ClassFile.JAVA_8_VERSION);
                        classes++;
                    }
                }
            }
            assertThat(classes).isGreaterThan(100);
        }
    }

    /** The JVM verifies a class by its stack maps when it is initialized. */
    @Test
    void everyClassIsVerified() throws Exception {
        Path copy = copy();
        URL[] urls = {copy.toUri().toURL()};
        try (JarFile jar = new JarFile(copy.toFile());
                URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName();
                // Groovy is not there.
                if (name.startsWith("picocli/") && name.endsWith(".class") && !name.startsWith("picocli/groovy/")) {
                    String type =
                            name.substring(0, name.length() - ".class".length()).replace('/', '.');
                    assertThat(Class.forName(type, true, loader).getName()).isEqualTo(type);
                }
            }
        }
    }
}
