package io.sigma.dataplane.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sigma.dataplane.GatewayEngine;
import io.sigma.dataplane.engine.relay.SpoolFiles;
import io.sigma.dataplane.loop.Scheduling.Attributes;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.value.AddressGuard;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SchedulingTest {

    private static final long PATIENCE_SECONDS = 10;

    @BeforeAll
    static void kernelHasSlices() {
        String[] version = System.getProperty("os.version").split("\\D+", 3);
        int number = Integer.parseInt(version[0]) * 1000 + Integer.parseInt(version[1]);
        assumeTrue(
                System.getProperty("os.name").equals("Linux") && number >= 6_012,
                "threads have had slices of their own since Linux 6.12");
    }

    @Test
    void threadWithTrafficHasShortSlicesAndThoseThatItStartsDoNot() throws Exception {
        Attributes before = Scheduling.current();
        CompletableFuture<Attributes> traffic = new CompletableFuture<>();
        CompletableFuture<Attributes> started = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            assertThat(Scheduling.forTraffic()).isTrue();
            traffic.complete(Scheduling.current());
            Thread.ofPlatform().start(() -> started.complete(Scheduling.current()));
        });
        assertThat(result(traffic)).isEqualTo(new Attributes(Scheduling.SLICE_NANOS, 0));
        assertThat(result(started)).isEqualTo(before).isNotEqualTo(result(traffic));
        assertThat(Scheduling.current()).isEqualTo(before);
    }

    @Test
    void backgroundThreadIsNicerAndHasTheSliceOfTheSystemWhoeverStartsIt() throws Exception {
        CompletableFuture<Attributes> background = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            Scheduling.forTraffic();
            Scheduling.backgroundThreads("test")
                    .newThread(() -> background.complete(Scheduling.current()))
                    .start();
        });
        assertThat(result(background).nice()).isEqualTo(Scheduling.BACKGROUND_NICE);
        assertThat(result(background).sliceNanos()).isGreaterThan(Scheduling.SLICE_NANOS);
    }

    @Test
    void threadForLittleAtATimeHasTheLeastWeight() throws Exception {
        CompletableFuture<Attributes> little = new CompletableFuture<>();
        Scheduling.littleThreads("test")
                .newThread(() -> little.complete(Scheduling.current()))
                .start();
        assertThat(result(little).nice()).isEqualTo(Scheduling.LITTLE_NICE).isGreaterThan(Scheduling.BACKGROUND_NICE);
    }

    @Test
    void workOfASharedThreadIsBesideTheTraffic() throws Exception {
        CompletableFuture<Attributes> working = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                working.complete(Scheduling.background(Scheduling::current).call());
            } catch (Exception e) {
                working.completeExceptionally(e);
            }
        });
        assertThat(result(working).nice()).isEqualTo(Scheduling.BACKGROUND_NICE);
    }

    @Test
    void optimizingCompilerIsNicerAsSoonAsThereIsTraffic() throws Exception {
        assertThat(Scheduling.optimizerForBackground()).isPositive();
        assertThat(niceness("C2 ")).isNotEmpty().allMatch(nice -> nice >= Scheduling.OPTIMIZER_NICE);
    }

    @Test
    void optimizingCompilerAndTheCollectorBetweenPausesAreNicer() throws Exception {
        assertThat(Scheduling.othersForBackground()).isPositive();
        assertThat(niceness("C2 ")).isNotEmpty().containsOnly(Scheduling.LITTLE_NICE);
        // Where another collector was chosen there are none.
        assertThat(niceness("G1 ")).allMatch(nice -> nice == Scheduling.BACKGROUND_NICE);
    }

    /** Returns the niceness of the threads whose names begin with {@code name}. */
    private static List<Integer> niceness(String name) throws IOException {
        List<Integer> found = new ArrayList<>();
        for (Path thread : threads(name)) {
            // proc(5): the 19th field, and the 17th behind the name.
            String stat = read(thread.resolve("stat"));
            if (!stat.isEmpty()) {
                found.add(Integer.valueOf(
                        stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]));
            }
        }
        return found;
    }

    private static List<Path> threads(String name) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                if (read(thread.resolve("comm")).startsWith(name)) {
                    found.add(thread);
                }
            }
        }
        return found;
    }

    /** Returns what is in a file of a thread; nothing when that has ended. */
    private static String read(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            if (Files.exists(file)) {
                throw e;
            }
            return "";
        }
    }

    @Test
    void eachEventLoopCarriesTraffic() throws Exception {
        Vertx vertx = Vertx.vertx();
        GatewayEngine engine = new GatewayEngine(
                vertx,
                2,
                GatewaySettings.Tls.AUTO,
                id -> null,
                path -> null,
                new AddressGuard(List.of(), List.of(), port -> false),
                SocketBudget.ofProcess(),
                MemoryBudget.unlimited(),
                SpoolFiles.none());
        try {
            for (Loop loop : engine.eventLoops()) {
                CompletableFuture<Attributes> attributes = new CompletableFuture<>();
                loop.scheduler().execute(() -> attributes.complete(Scheduling.current()));
                assertThat(result(attributes)).isEqualTo(new Attributes(Scheduling.SLICE_NANOS, 0));
            }
        } finally {
            engine.close();
            vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static Attributes result(CompletableFuture<Attributes> future) throws Exception {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
