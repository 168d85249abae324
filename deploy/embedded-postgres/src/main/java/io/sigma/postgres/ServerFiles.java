package io.sigma.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of one database server ("cluster" in PostgreSQL's words): created once, then only checked. */
record ServerFiles(Path home, Path binaries, RunAs runAs) {

    private static final Logger log = LoggerFactory.getLogger(ServerFiles.class);

    static final String ROLE = "sigma";
    static final String DATABASE = "sigma";

    /**
     * The data directory as the server names it. The server is started inside of it and this link leads there without
     * walking the path, so the data may lie below directories that its user cannot enter, as root's home.
     */
    static final String DATA_AS_SEEN_FROM_INSIDE = "/proc/self/cwd";

    private static final String SUPERUSER = "postgres";
    private static final Duration INITDB_WAIT = Duration.ofMinutes(2);

    Path data() {
        return home.resolve("data");
    }

    Path portFile() {
        return home.resolve("port");
    }

    String program(String name) {
        return binaries.resolve("bin").resolve(name).toString();
    }

    /** Creates the data where there is none, and returns the password. */
    String prepare() throws IOException {
        Path passwordFile = home.resolve("password");
        if (!Files.exists(data())) {
            String password = newPassword(passwordFile);
            create(password);
            return password;
        }
        checkVersion();
        if (!Files.exists(passwordFile)) {
            throw new IOException("%s is missing (expected: the password of %s, written when it was created)"
                    .formatted(passwordFile, data()));
        }
        return Files.readString(passwordFile).strip();
    }

    private void checkVersion() throws IOException {
        String found = Files.readString(data().resolve("PG_VERSION")).strip();
        String version = Binaries.version();
        String expected = version.substring(0, version.indexOf('.'));
        if (!found.equals(expected)) {
            throw new IOException(
                    "%s was written by PostgreSQL %s (expected: %s; dump it with PostgreSQL %s, move it away, start, and load the dump)"
                            .formatted(data(), found, expected, found));
        }
    }

    private static String newPassword(Path file) throws IOException {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        String password = Base64.getUrlEncoder().encodeToString(random);
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, password + "\n", StandardOpenOption.WRITE);
        return password;
    }

    /** Complete or absent: the data is created aside and moved to its place when all is in it. */
    private void create(String password) throws IOException {
        long start = System.nanoTime();
        Path part = home.resolve("data.part");
        Binaries.deleteTree(part);
        Path inside = part.resolve("data");
        Path passwordFile = part.resolve("password");
        Files.createDirectories(inside);
        Files.createFile(
                passwordFile, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(passwordFile, password + "\n");
        for (Path path : List.of(part, inside)) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
        for (Path path : List.of(part, inside, passwordFile)) {
            runAs.own(path);
        }
        initdb(inside);
        createDatabase(inside, password);
        Files.move(inside, data(), StandardCopyOption.ATOMIC_MOVE);
        Binaries.deleteTree(part);
        log.info(
                "created a PostgreSQL {} database in {} in {} ms",
                Binaries.version(),
                data(),
                (System.nanoTime() - start) / 1_000_000);
    }

    private void initdb(Path inside) throws IOException {
        ShortCommands.runOrThrow(
                inside,
                runAs.command(List.of(
                        program("initdb"),
                        "--pgdata=" + DATA_AS_SEEN_FROM_INSIDE,
                        "--username=" + SUPERUSER,
                        "--pwfile=../password",
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--data-checksums",
                        "--no-instructions")),
                "",
                INITDB_WAIT);
    }

    /**
     * Through the single-user mode, before any client can connect. The password is of [A-Za-z0-9_-], so it needs no
     * quoting.
     */
    private void createDatabase(Path inside, String password) throws IOException {
        ShortCommands.runOrThrow(
                inside,
                runAs.command(List.of(
                        program("postgres"),
                        "--single",
                        "-D",
                        DATA_AS_SEEN_FROM_INSIDE,
                        "-c",
                        "exit_on_error=true",
                        "postgres")),
                "CREATE ROLE %s LOGIN PASSWORD '%s';%nCREATE DATABASE %s OWNER %s;%n"
                        .formatted(ROLE, password, DATABASE, ROLE),
                INITDB_WAIT);
    }
}
