package io.sigma.controlplane.store;

import static io.sigma.controlplane.store.StoreFixture.server;

import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.testing.Standby;
import io.sigma.controlplane.testing.TestSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The base of tests against a primary and a standby that replicates from it: two real servers. */
abstract class StandbyContract {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path dir;

    Standby pair = Standby.NONE;

    @BeforeEach
    void start() throws Exception {
        pair = Standby.start(dir.resolve("servers"));
    }

    @AfterEach
    void stop() throws Exception {
        pair.close();
    }

    StoreFixture open() throws InterruptedException {
        return open("cp");
    }

    /** Opens the store of a control plane of that name. */
    StoreFixture open(String name) throws InterruptedException {
        return StoreFixture.listening(TestSettings.of(
                dir.resolve(name), pair.url(), "databaseTimeoutMillis", "2000", "revisionPollMillis", "200"));
    }

    static boolean isWritten(StoreFixture fixture, String id, int port) {
        try {
            fixture.write(server(id, port));
            return true;
        } catch (FailureException e) {
            return false;
        }
    }
}
