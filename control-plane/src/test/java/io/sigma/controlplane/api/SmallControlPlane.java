package io.sigma.controlplane.api;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.ControlPlaneProcess;
import io.sigma.controlplane.testing.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a control plane in a process of its own, with a heap of 256 MB. */
abstract class SmallControlPlane {

    static final int MIB = 1024 * 1024;

    @TempDir
    static Path dir;

    static ControlPlaneProcess process;
    static AdminClient client;

    @BeforeAll
    static void start() throws Exception {
        process = ControlPlaneProcess.start(dir, TestDatabase.fresh());
        client = process.client();
    }

    @AfterAll
    static void stop() {
        process.close();
    }
}
