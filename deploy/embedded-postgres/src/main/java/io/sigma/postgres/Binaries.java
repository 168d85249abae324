package io.sigma.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The PostgreSQL programs: an archive on the class path, extracted once per version. */
final class Binaries {

    private static final Logger log = LoggerFactory.getLogger(Binaries.class);
    private static final Duration EXTRACT_WAIT = Duration.ofMinutes(2);
    private static final Duration PROBE_WAIT = Duration.ofSeconds(10);

    /**
     * Where the programs go when their user cannot reach the wanted directory, as below root's home, which is closed to
     * others. The data needs no such place: see {@link ServerFiles#DATA_AS_SEEN_FROM_INSIDE}. The programs do, because
     * PostgreSQL resolves its own path to find its libraries.
     */
    private static final Path SHARED = Path.of("/var/cache/sigma/postgres");

    private Binaries() {}

    /** Returns a directory with {@code bin/postgres} in it that {@code runAs} can execute. */
    static Path locate(Path wanted, RunAs runAs) throws IOException {
        if (!System.getProperty("os.name").equals("Linux")
                || !System.getProperty("os.arch").equals("amd64")) {
            throw new IOException("embedded PostgreSQL: %s %s (expected: Linux amd64; elsewhere set SIGMA_DATABASE_URL)"
                    .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
        }
        Files.createDirectories(wanted);
        if (reachable(wanted, runAs)) {
            return extracted(wanted);
        }
        try {
            Files.createDirectories(
                    SHARED, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        } catch (IOException e) {
            throw new IOException(
                    "user %s of PostgreSQL can reach neither %s nor %s (expected: one of them; or set SIGMA_DATABASE_URL)"
                            .formatted(runAs.name(), wanted, SHARED),
                    e);
        }
        if (!reachable(SHARED, runAs)) {
            throw new IOException(
                    "user %s of PostgreSQL can reach neither %s nor %s (expected: a data directory that it can reach)"
                            .formatted(runAs.name(), wanted, SHARED));
        }
        return extracted(SHARED);
    }

    /** Returns the version that the archive holds, as "18.6.0". */
    static String version() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = resource("/io/sigma/postgres/binaries.properties")) {
            properties.load(in);
        }
        return properties.getProperty("version");
    }

    /** Asks the kernel, as that user, whether the directory can be entered. */
    private static boolean reachable(Path directory, RunAs runAs) throws IOException {
        List<String> probe = runAs.command(List.of("test", "-x", directory + "/."));
        ShortCommands.Result result = ShortCommands.run(Path.of("/"), probe, "", PROBE_WAIT);
        if (result.exitCode() > 1) {
            throw new IOException("%s ended with exit code %d: %s (expected: setsid, setpriv and test to be installed)"
                    .formatted(probe, result.exitCode(), result.output()));
        }
        return result.exitCode() == 0;
    }

    private static Path extracted(Path parent) throws IOException {
        Path target = parent.resolve("bin-" + version());
        if (Files.exists(target)) {
            return target;
        }
        DirectoryLock lock = DirectoryLock.acquire(parent.resolve("extract.lock"), EXTRACT_WAIT);
        try {
            if (!Files.exists(target)) {
                long start = System.nanoTime();
                // Complete or absent: a killed extraction leaves only a directory that the next one deletes.
                Path temporary = parent.resolve("bin-" + version() + ".part");
                deleteTree(temporary);
                Archive.extract(temporary);
                Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
                log.info(
                        "extracted PostgreSQL {} to {} in {} ms",
                        version(),
                        target,
                        (System.nanoTime() - start) / 1_000_000);
            }
        } finally {
            lock.close();
        }
        return target;
    }

    static InputStream resource(String name) throws IOException {
        InputStream in = Binaries.class.getResourceAsStream(name);
        if (in == null) {
            throw new IOException(
                    "class path resource %s (expected: the PostgreSQL archive of this build)".formatted(name));
        }
        return in;
    }

    static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
