package io.sigma.inprocess.testkit;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An installation for every test, which ends with it. */
public abstract class WithInstallation {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    protected Path dir;

    @SuppressWarnings("NullAway.Init")
    protected Installation installation;

    @BeforeEach
    protected void open() throws Exception {
        installation = new Installation(dir);
    }

    @AfterEach
    protected void close() throws Exception {
        installation.close();
    }
}
