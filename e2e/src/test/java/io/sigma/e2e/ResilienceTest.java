package io.sigma.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The faults of {@link ResilienceRun}, a few times each and to one plant. {@link SurvivalTest} kills its processes.
 */
class ResilienceTest {

    private static final BusFaults BUS = new BusFaults();

    @TempDir
    static Path folder;

    private static Scarcity scarcity;
    private static Resilience resilience;

    @BeforeAll
    static void start() throws IOException {
        scarcity = Scarcity.in(folder);
        resilience = Resilience.start(folder, BUS.wiring(), command -> {
            scarcity.adjust(command);
            // Who does not hear is waited for at each write.
            command.with("SIGMA_GATEWAY_VOTE_MILLIS", 500);
        });
    }

    @AfterAll
    static void stop() {
        if (resilience != null) {
            resilience.close();
        }
        BUS.close();
        scarcity.close();
    }

    @Test
    void theBusIsDisturbed() {
        resilience.disturbTheBus(BUS, LongStream.rangeClosed(1, 12), 150);
        resilience.check();
    }

    @Test
    void theDatabaseIsRestored() throws Exception {
        resilience.restoreTheDatabase(1, true, Backup.ROWS.isPossible() ? Backup.ROWS : Backup.FILES);
        resilience.check();
    }

    @Test
    void whatAGatewayDoesNotServeIsSaid() throws Exception {
        resilience.sendBatches(10, 1);
        resilience.check();
    }

    @Test
    void disksTakeNothing() throws Exception {
        scarcity.disksTakeNothing(resilience);
        resilience.check();
    }

    @Test
    void descriptorsAreUsedUp() throws Exception {
        scarcity.descriptorsAreUsedUp(resilience);
        resilience.check();
    }

    @Test
    void aClockIsWrong() {
        scarcity.clockIsWrong(resilience, BUS);
        resilience.check();
    }

    @Test
    void namesAreGone() {
        scarcity.namesAreGone(resilience, 1_000);
        resilience.check();
    }
}
