package io.sigma.postgres;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A JVM of its own that starts a server and holds it until it is killed or its input ends. */
final class ForkedJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    private ForkedJvm(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    /** What the forked JVM runs. */
    static final class Main {

        private Main() {}

        public static void main(String[] args) throws IOException {
            try (EmbeddedPostgres postgres = EmbeddedPostgres.start(Path.of(args[0]), Path.of(args[1]))) {
                System.out.println(postgres.pid() + " " + postgres.url());
                while (System.in.read() >= 0) {
                    // Until the input ends.
                }
            }
        }
    }

    static ForkedJvm start(List<String> prefix, String classPath, Path dataDir, Path binariesDir) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                classPath,
                Main.class.getName(),
                dataDir.toString(),
                binariesDir.toString()));
        return new ForkedJvm(new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectError(Redirect.INHERIT)
                .start());
    }

    /** Returns the class path of this JVM, copied to where any user can read it. */
    static String readableClassPath(Path directory) throws IOException {
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (entry.isEmpty()) {
                continue;
            }
            Path source = Path.of(entry);
            Path copy = directory.resolve(copies.size() + "-" + source.getFileName());
            new ProcessBuilder("cp", "-r", entry, copy.toString())
                    .inheritIO()
                    .start()
                    .onExit()
                    .join();
            copies.add(copy.toString());
        }
        new ProcessBuilder("chmod", "-R", "a+rX", directory.toString())
                .inheritIO()
                .start()
                .onExit()
                .join();
        return String.join(File.pathSeparator, copies);
    }

    /** Returns the server's process id and URL, once it is up. */
    Running running() throws IOException {
        String line = Optional.ofNullable(output.readLine()).orElseThrow(() -> new IOException("the JVM ended"));
        String[] words = line.split(" ", -1);
        return new Running(Long.parseLong(words[0]), words[1]);
    }

    record Running(long pid, String url) {

        String user() throws IOException {
            return Files.getOwner(Path.of("/proc", "" + pid)).getName();
        }
    }

    void kill() throws IOException {
        process.destroyForcibly();
        ShortCommands.waitFor(process, Duration.ofSeconds(10));
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        if (!ShortCommands.waitFor(process, Duration.ofSeconds(30))) {
            process.destroyForcibly();
        }
    }
}
