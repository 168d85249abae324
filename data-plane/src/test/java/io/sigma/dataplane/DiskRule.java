package io.sigma.dataplane;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;

/** Finds accesses to the disk, to sockets with names in it, to commands, and to classes by name. */
final class DiskRule {

    /** Every method of these touches the disk, or starts a command. */
    private static final Set<String> OWNERS = Set.of(
            "java.nio.file.Files",
            "java.io.FileInputStream",
            "java.io.FileOutputStream",
            "java.io.FileReader",
            "java.io.FileWriter",
            "java.io.RandomAccessFile",
            "java.io.File",
            "java.util.Scanner",
            "java.util.zip.ZipFile",
            "java.util.jar.JarFile",
            "java.nio.file.FileSystems",
            "java.lang.ProcessBuilder",
            "java.lang.Runtime#exec",
            "java.net.UnixDomainSocketAddress",
            "io.netty.channel.unix.DomainSocketAddress",
            "io.vertx.core.file.FileSystem");

    /** These do whatever they are called on: owner and method, or the method of any owner. */
    private static final Set<String> METHODS = Set.of(
            "java.nio.channels.FileChannel#open",
            "java.nio.channels.AsynchronousFileChannel#open",
            "java.nio.file.Path#toRealPath",
            "java.nio.file.Path#toFile",
            "java.nio.file.Path#register",
            "java.lang.Class#forName",
            "java.lang.ClassLoader#loadClass",
            "java.lang.System#load",
            "java.lang.Runtime#load",
            "java.lang.Runtime#exec",
            "#domainSocketAddress",
            "#fileSystem",
            "#addCertPath",
            "#addCrlPath",
            "#setCertPath",
            "#setKeyPath",
            "#addKeyPath");

    /** These do where they are given the name of a file, and not where they are given an open one. */
    private static final Set<String> BY_NAME = Set.of(
            "#sendFile", "#trustManager", "#keyManager", "#setPath", "io.netty.channel.DefaultFileRegion#<init>");

    private static final Set<String> NAMES = Set.of("java.lang.String", "java.io.File", "java.nio.file.Path");

    private DiskRule() {}

    static ArchCondition<JavaClass> reachTheDisk() {
        return new ArchCondition<>("reach the disk") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                for (JavaAccess<?> access : item.getAccessesFromSelf()) {
                    if (reaches(access.getTarget())) {
                        events.add(SimpleConditionEvent.satisfied(access, access.getDescription()));
                    }
                }
            }
        };
    }

    private static boolean reaches(AccessTarget target) {
        String owner = target.getOwner().getFullName();
        String method = "#" + target.getName();
        if (!(target instanceof AccessTarget.CodeUnitAccessTarget called)) {
            return false;
        }
        List<String> given = called.getRawParameterTypes().stream()
                .map(JavaClass::getFullName)
                .toList();
        boolean named = !given.isEmpty() && NAMES.contains(given.getFirst());
        boolean always = OWNERS.contains(owner) || METHODS.contains(owner + method) || METHODS.contains(method);
        boolean byName = named && (BY_NAME.contains(method) || BY_NAME.contains(owner + method));
        boolean constant = owner.equals("java.io.File")
                && given.isEmpty()
                && target.getName().startsWith("get");
        return (always && !constant) || byName;
    }
}
