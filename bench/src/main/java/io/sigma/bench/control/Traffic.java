package io.sigma.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.e2e.SigmaProcess;
import io.sigma.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Traffic at a fixed rate through a gateway, and writes beside it. */
final class Traffic {

    private static final int WRITES_A_SECOND = 20;

    /** Of the requests of a turn, how long the gateway had them has to be known for that part at least. */
    private static final double KNOWN_MIN = 0.99;

    private final Path load;
    private final Site site;
    private final AdminClient admin;
    private final AtomicInteger round = new AtomicInteger();

    private long errors;

    /**
     * The gateway that carries the traffic.
     *
     * @param address at which it listens
     */
    record Target(SigmaProcess gateway, String address) {}

    /** Writes, and what became of them. */
    static final class Tally {

        private final Writes writes;
        private final AtomicInteger errors = new AtomicInteger();

        Tally(Writes writes) {
            this.writes = writes;
        }

        Writes writes() {
            return writes;
        }

        int errors() {
            return errors.get();
        }

        private void write(AdminClient admin, int round) {
            try {
                writes.write(admin, round);
            } catch (Exception e) {
                errors.incrementAndGet();
                System.err.println("a write failed: " + e);
            }
        }
    }

    /**
     * Microseconds that requests took.
     *
     * @param proxyP50 as long as the gateway had them, and so for {@code proxyP99}
     */
    record Latency(double p50, double p99, double proxyP50, double proxyP99) {}

    Traffic(Path load, Site site, AdminClient admin) {
        this.load = load;
        this.site = site;
        this.admin = admin;
    }

    /** Returns how many requests failed so far. */
    long errors() {
        return errors;
    }

    /**
     * Returns how long requests took in a time without writes.
     *
     * @param rate requests a second
     */
    Latency quiet(Target target, int rate, int seconds) throws Exception {
        return result(begin(target, rate, seconds));
    }

    /**
     * Returns how long requests took in a time with writes.
     *
     * @param rate requests a second
     */
    Latency besideWrites(Target target, int rate, int seconds, Tally tally) throws Exception {
        Process traffic = begin(target, rate, seconds);
        long periodNanos = TimeUnit.SECONDS.toNanos(1) / WRITES_A_SECOND;
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            long due = System.nanoTime();
            while (traffic.isAlive()) {
                writers.execute(() -> tally.write(admin, round.getAndIncrement()));
                due += periodNanos;
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            }
            return result(traffic);
        }
    }

    private Latency result(Process traffic) throws IOException {
        JsonNode said =
                Json.read(new String(traffic.getInputStream().readAllBytes(), StandardCharsets.UTF_8), JsonNode.class);
        for (JsonNode one : said.path("errors")) {
            errors += one.asLong();
        }
        JsonNode micros = said.path("latencyMicros");
        JsonNode ofProxy = said.path("proxyMicros");
        long known = ofProxy.path("count").asLong();
        long all = micros.path("count").asLong();
        if (known < KNOWN_MIN * all) {
            throw new IllegalStateException("how long the gateway had them is known of " + known + " of " + all
                    + " requests (expected: " + KNOWN_MIN + " of them)");
        }
        return new Latency(
                micros.path("p50").asDouble(),
                micros.path("p99").asDouble(),
                ofProxy.path("p50").asDouble(),
                ofProxy.path("p99").asDouble());
    }

    private Process begin(Target target, int rate, int seconds) throws IOException {
        List<Object> command = List.of(
                load,
                "--listen",
                site.nodePort(),
                "--port",
                site.proxyServerPort(),
                "--address",
                target.address(),
                "--host",
                State.host(0),
                "--path",
                "/r%d/item",
                "--paths",
                State.ROUTES_A_HOST,
                "--rate",
                rate,
                "--doze",
                "--stamps",
                "--warmup",
                1,
                "--seconds",
                seconds,
                "--pid",
                target.gateway().pid());
        return new ProcessBuilder(command.stream().map(String::valueOf).toList())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
