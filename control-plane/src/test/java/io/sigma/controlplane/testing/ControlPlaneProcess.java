package io.sigma.controlplane.testing;

import io.sigma.controlplane.ControlPlane;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A control plane in a process of its own, which can be killed. */
public final class ControlPlaneProcess implements AutoCloseable {

    private static final String READY = "admin port ";

    private final Process process;
    private final AdminClient client;

    private ControlPlaneProcess(Process process, int port) {
        this.process = process;
        this.client = new AdminClient(port);
    }

    /** Returns once it serves. What it logs is in {@code stderr.log} in its folder. */
    public static ControlPlaneProcess start(Path dataDir, String databaseUrl) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        ControlPlaneProcess.class.getName(),
                        dataDir.toString(),
                        databaseUrl)
                .redirectError(
                        Files.createDirectories(dataDir).resolve("stderr.log").toFile())
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        while (line != null && !line.startsWith(READY)) {
            line = out.readLine();
        }
        if (line == null) {
            throw new IllegalStateException(
                    "the process ended with " + process.onExit().join().exitValue());
        }
        return new ControlPlaneProcess(process, Integer.parseInt(line.substring(READY.length())));
    }

    /** Returns that of this process, whoever loads it. */
    private static String classPath() {
        return ControlPlaneProcess.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs())
                        .map(url -> Path.of(URI.create(url.toString())).toString())
                        .collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    public AdminClient client() {
        return client;
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
        process.onExit().join();
        client.close();
    }

    /** The process. */
    public static void main(String[] args) throws Exception {
        ControlPlane controlPlane = ControlPlane.start(Vertx.vertx(), TestSettings.of(Path.of(args[0]), args[1]))
                .await(60, TimeUnit.SECONDS);
        System.out.println(READY + controlPlane.adminPort());
    }
}
