package io.sigma.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The faults of {@link ResilienceRun}, a few times each and to one plant. {@link SurvivalTest} kills its processes.
 */
class ResilienceTest {

    private static final BusFaults BUS = new BusFaults();

    @TempDir
    static Path folder;

    private static Resilience resilience;

    @BeforeAll
    static void start() throws IOException {
        resilience = Resilience.start(folder, BUS.wiring(), command -> {});
    }

    @AfterAll
    static void stop() {
        if (resilience != null) {
            resilience.close();
        }
        BUS.close();
    }

    @Test
    void theBusIsDisturbed() {
        resilience.disturbTheBus(BUS, LongStream.rangeClosed(1, 12), 200);
        resilience.check();
    }

    @ParameterizedTest
    @EnumSource
    void theDatabaseIsRestored(Backup backup) throws Exception {
        Assumptions.assumeTrue(backup.isPossible(), "psql is not on the path");
        resilience.restoreTheDatabase(1, true, backup);
        resilience.check();
    }
}
