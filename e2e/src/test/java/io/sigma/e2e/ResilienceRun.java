package io.sigma.e2e;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

/**
 * {@code make resilience}: faults of the whole product, many times, under load and under writes. Prints how long it
 * takes to be whole again.
 */
class ResilienceRun {

    private static final int KILLS = Integer.getInteger("sigma.kills", 50);
    private static final int SCHEDULES = Integer.getInteger("sigma.schedules", 200);
    private static final int BATCHES = Integer.getInteger("sigma.batches", 1_000);
    private static final int ROUNDS = Integer.getInteger("sigma.rounds", 3);
    private static final int RESTORES = Integer.getInteger("sigma.restores", 5);

    @TempDir
    Path folder;

    @Test
    void theDatabaseDies() throws Exception {
        try (Resilience resilience = Resilience.start(folder).withWrites()) {
            resilience.killTheDatabase(KILLS);
            resilience.check();
        }
    }

    @Test
    void controlPlanesDie() throws Exception {
        try (Resilience resilience = Resilience.start(folder).withWrites()) {
            resilience.killControlPlanes(KILLS);
            resilience.check();
        }
    }

    @Test
    void theBusIsDisturbed() throws Exception {
        Long seed = Long.getLong("sigma.seed");
        try (BusFaults bus = new BusFaults();
                Resilience resilience = Resilience.start(folder, bus.wiring(), command -> {})) {
            LongStream seeds = seed == null ? LongStream.rangeClosed(1, SCHEDULES) : LongStream.of(seed);
            resilience.disturbTheBus(bus, seeds, 2_000);
            for (int i = 0; i < ROUNDS; i++) {
                resilience.cutOff(bus, 30_000);
            }
            resilience.check();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDatabaseIsRestored(Backup backup) throws Exception {
        Assumptions.assumeTrue(backup.isPossible(), "psql is not on the path");
        try (Resilience resilience = Resilience.start(folder)) {
            resilience.restoreTheDatabase(RESTORES, false, backup);
            resilience.restoreTheDatabase(RESTORES, true, backup);
            resilience.check();
        }
    }

    @Test
    void whatAGatewayDoesNotServeIsSaid() throws Exception {
        try (Resilience resilience = Resilience.start(folder)) {
            resilience.sendBatches(BATCHES, Long.getLong("sigma.seed", 1));
            resilience.check();
        }
    }

    @Test
    void theMachineLacksWhatIsNeeded() throws Exception {
        try (BusFaults bus = new BusFaults();
                Scarcity scarcity = Scarcity.in(folder);
                Resilience resilience = Resilience.start(folder, bus.wiring(), scarcity::adjust)) {
            for (int i = 0; i < ROUNDS; i++) {
                resilience.withWrites();
                attempt(() -> scarcity.disksTakeNothing(resilience));
                attempt(() -> scarcity.descriptorsAreUsedUp(resilience));
                attempt(() -> scarcity.clockIsWrong(resilience, bus));
                attempt(() -> scarcity.namesAreGone(resilience, 30_000));
                resilience.check();
            }
        }
    }

    /** What this machine cannot do does not keep the others from being tried. */
    private static void attempt(Executable fault) throws Exception {
        try {
            fault.execute();
        } catch (TestAbortedException e) {
            System.out.println("skipped: " + e.getMessage());
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
