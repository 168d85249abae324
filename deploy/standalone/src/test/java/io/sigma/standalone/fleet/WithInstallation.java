package io.sigma.standalone.fleet;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An installation for every test, which ends with it. */
abstract class WithInstallation {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    @SuppressWarnings("NullAway.Init")
    Installation installation;

    @BeforeEach
    void open() throws Exception {
        installation = new Installation(dir);
    }

    @AfterEach
    void close() throws Exception {
        installation.close();
    }
}
