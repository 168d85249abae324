package io.sigma.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.bench.Figures;
import io.sigma.e2e.SigmaProcess;
import io.sigma.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * 20 writes a second at 10,000 routes while a gateway carries traffic at a fixed rate, in turn with the same traffic without writes.
 * The gateway has the first processor for itself; the load, PostgreSQL and the control plane share the second, the load before them.
 */
final class UnderTraffic implements Scenario {

    private static final int ROUTES = 10_000;
    private static final int WRITES_A_SECOND = 20;
    private static final int REQUESTS_A_SECOND = 2_000;
    private static final int TURNS = 3;
    private static final int WARM_UP_SECONDS = 6;

    private final Path load;

    UnderTraffic(Path load) {
        this.load = load;
    }

    @Override
    public void run(Effort effort, ObjectNode figures) throws Exception {
        try (Site site = Site.start()) {
            Site.ControlPlane controlPlane = site.controlPlane();
            site.fill(controlPlane, ROUTES);
            SigmaProcess gateway = site.gateway(controlPlane);
            pin(gateway.pid(), 0, 0);
            pin(controlPlane.process().pid(), 1, 5);
            AtomicInteger round = new AtomicInteger();
            int seconds = Math.max(1, effort.seconds() / TURNS);
            turn(site, controlPlane, gateway, round, new Tally(site), WARM_UP_SECONDS, true);
            Tally tally = new Tally(site);
            List<Double> with = new ArrayList<>();
            List<Double> without = new ArrayList<>();
            long errors = 0;
            for (int i = 0; i < TURNS; i++) {
                JsonNode quiet = turn(site, controlPlane, gateway, round, tally, seconds, false);
                JsonNode busy = turn(site, controlPlane, gateway, round, tally, seconds, true);
                without.add(quiet.at("/latencyMicros/p99").asDouble());
                with.add(busy.at("/latencyMicros/p99").asDouble());
                errors += errors(quiet) + errors(busy);
            }
            figures.put("seconds", seconds * TURNS);
            figures.put("requestsPerSecond", REQUESTS_A_SECOND);
            figures.put("requestErrors", errors);
            figures.put("writeErrors", tally.errors.get());
            tally.writes.putTo(figures);
            double quiet = median(without);
            double busy = median(with);
            figures.put("gatewayP99MicrosWithout", quiet).put("gatewayP99MicrosWith", busy);
            figures.put("gatewayP99Ratio", Times.rounded(busy / quiet));
        }
    }

    private static double median(List<Double> values) {
        return Figures.median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static long errors(JsonNode result) {
        long errors = 0;
        for (JsonNode one : result.path("errors")) {
            errors += one.asLong();
        }
        return errors;
    }

    /** Writes, and what became of them. */
    private static final class Tally {

        private final Writes writes;
        private final AtomicInteger errors = new AtomicInteger();

        Tally(Site site) {
            writes = new Writes(site, ROUTES, 1);
        }

        void write(AdminClient admin, int round) {
            try {
                writes.write(admin, round);
            } catch (Exception e) {
                errors.incrementAndGet();
                System.err.println("a write failed: " + e);
            }
        }
    }

    /** Returns what the load program says about a time of traffic. */
    private JsonNode turn(
            Site site,
            Site.ControlPlane controlPlane,
            SigmaProcess gateway,
            AtomicInteger round,
            Tally tally,
            int seconds,
            boolean writes)
            throws Exception {
        Process traffic = traffic(site, gateway, seconds);
        long periodNanos = TimeUnit.SECONDS.toNanos(1) / WRITES_A_SECOND;
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            long due = System.nanoTime();
            while (traffic.isAlive() && writes) {
                writers.execute(() -> tally.write(controlPlane.admin(), round.getAndIncrement()));
                due += periodNanos;
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            }
            return Json.read(
                    new String(traffic.getInputStream().readAllBytes(), StandardCharsets.UTF_8), JsonNode.class);
        }
    }

    private Process traffic(Site site, SigmaProcess gateway, int seconds) throws IOException {
        return new ProcessBuilder(
                        "taskset",
                        "-c",
                        "1",
                        load.toString(),
                        "--listen",
                        String.valueOf(site.nodePort()),
                        "--port",
                        String.valueOf(site.proxyServerPort()),
                        "--host",
                        State.host(0),
                        "--path",
                        "/r%d/item",
                        "--paths",
                        String.valueOf(State.ROUTES_A_HOST),
                        "--rate",
                        String.valueOf(REQUESTS_A_SECOND),
                        "--warmup",
                        "1",
                        "--seconds",
                        String.valueOf(seconds),
                        "--pid",
                        String.valueOf(gateway.pid()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void pin(long pid, int processor, int niceness) throws IOException, InterruptedException {
        run("taskset", "-acp", String.valueOf(processor), String.valueOf(pid));
        if (niceness > 0) {
            run("renice", "-n", String.valueOf(niceness), "-g", String.valueOf(pid));
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
