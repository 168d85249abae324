package io.sigma.controlplane.testing;

import io.sigma.controlplane.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A control plane that runs over an emptied database while a test does. Registered in a static field, one runs for all
 * tests of the class. In another field each test has one of its own.
 */
public final class TestControlPlane
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    private final String[] settings;
    private final AdminClient client = new AdminClient(() -> controlPlane().adminPort());
    private String database = "";
    private @Nullable Path dir;
    private @Nullable RunningControlPlane running;
    private boolean forAll;

    /** @param settings keys and values that differ from those of {@link TestSettings} */
    public TestControlPlane(String... settings) {
        this.settings = settings.clone();
    }

    public ControlPlane controlPlane() {
        return Objects.requireNonNull(running, "no test runs").controlPlane();
    }

    /** Returns a client, which may be asked for before a test runs. */
    public AdminClient client() {
        return client;
    }

    /** Returns the URL of the database. */
    public String database() {
        return database;
    }

    /** Returns a directory that is deleted at the end. */
    public Path dir() {
        return Objects.requireNonNull(dir, "no test runs");
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        forAll = true;
        start();
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        if (!forAll) {
            start();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        if (!forAll) {
            stop();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        stop();
    }

    private void start() throws Exception {
        database = TestDatabase.fresh();
        dir = Files.createTempDirectory("control-plane");
        running = RunningControlPlane.start(TestSettings.of(dir, database, settings));
    }

    private void stop() throws Exception {
        client.close();
        if (running != null) {
            running.close();
            // Fields of classes last as long as the JVM, and a control plane takes 70 MB.
            running = null;
        }
        if (dir != null) {
            delete(dir);
        }
    }

    private static void delete(Path dir) throws IOException {
        List<Path> inside;
        try (Stream<Path> files = Files.walk(dir)) {
            inside = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : inside) {
            Files.delete(file);
        }
    }
}
