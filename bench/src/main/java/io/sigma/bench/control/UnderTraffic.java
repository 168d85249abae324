package io.sigma.bench.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.bench.Figures;
import io.sigma.e2e.Await;
import io.sigma.e2e.SigmaProcess;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * 20 writes a second at 10,000 routes while a gateway carries traffic, at each of some fixed rates in turn. The gateway
 * has the first processor for itself; the load, PostgreSQL, the control plane and this process share the second, the
 * load before them.
 *
 * <p>What the second processor has to do disturbs the load, whatever the gateway does. So what counts is how long the
 * gateway has each request, by when the kernel got its bytes, and there are three kinds of turns, one after the other:
 * without writes; with writes that it applies; and the same writes beside another gateway on that processor, which does
 * not get them, because its connection was cut. No connection is opened between the turns, because the code that opens
 * one would be compiled again.
 */
final class UnderTraffic implements Scenario {

    private static final int ROUTES = 10_000;
    /**
     * Requests a second: of a gateway that mostly waits, and of twice as busy a one. With more, the load leaves too
     * little of the second processor for 20 writes a second.
     */
    private static final int[] RATES = {2_000, 4_000};

    /**
     * Of each kind at each rate: the machine is another one from minute to minute, so ratios are those of neighbours.
     */
    private static final int TURNS = 6;

    /** Code that runs 20 times a second is compiled late; what counts is a gateway that has run for a while. */
    private static final int WARM_UP_SECONDS = 30;

    /**
     * Most code that a change needs runs once for each, and is compiled for good after 5,000 times (the JVM's
     * Tier4InvocationThreshold). One after the other: at a fixed rate, a control plane that compiles its code on a
     * shared processor would fall behind.
     */
    private static final int WARM_UP_WRITES = 9_000;

    /** Beyond what writes under traffic get to, so that each changes something. */
    private static final int WARM_UP_ROUNDS = 1_000_000;

    /** Turns that nothing is asked of are as long as is enough for a p99. */
    private static final int COMPARED_SECONDS_MAX = 10;

    private static final String HEARING = "127.0.0.1";
    private static final String DEAF = "127.0.0.2";

    private final Path load;

    UnderTraffic(Path load) {
        this.load = load;
    }

    /** The turns of one kind. */
    private record Turns(String name, List<Traffic.Latency> latencies) {

        Turns(String name) {
            this(name, new ArrayList<>());
        }

        /** A run takes a quarter of an hour, so it says where it is. */
        void add(int rate, Traffic.Latency latency) {
            latencies.add(latency);
            System.err.printf(
                    "%s turn %d at %,d/s %s: p99 %.0f µs in the gateway%n",
                    Instant.now(), latencies.size(), rate, name, latency.proxyP99());
        }

        double median(ToDoubleFunction<Traffic.Latency> figure) {
            return Figures.median(latencies.stream().mapToDouble(figure).toArray());
        }

        /** Returns the median of a figure ÷ that of the turn of another kind beside it. */
        double ratioTo(Turns other, ToDoubleFunction<Traffic.Latency> figure) {
            double[] ratios = new double[latencies.size()];
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] = figure.applyAsDouble(latencies.get(i)) / figure.applyAsDouble(other.latencies.get(i));
            }
            return Times.rounded(Figures.median(ratios));
        }

        private void putTo(ObjectNode figures) {
            figures.put("p50Micros" + name, median(Traffic.Latency::p50))
                    .put("p99Micros" + name, median(Traffic.Latency::p99))
                    .put("proxyP50Micros" + name, median(Traffic.Latency::proxyP50))
                    .put("proxyP99Micros" + name, median(Traffic.Latency::proxyP99));
            ArrayNode turns = figures.putArray("proxyP99MicrosOfTurns" + name);
            latencies.forEach(latency -> turns.add(latency.proxyP99()));
        }
    }

    /** The measurements at one rate. */
    private record Measured(int rate, Turns without, Turns beside, Turns with) {

        Measured(int rate) {
            this(rate, new Turns("WithoutWrites"), new Turns("BesideWritesUnheard"), new Turns("WithWrites"));
        }

        void putTo(ObjectNode figures) {
            without.putTo(figures);
            beside.putTo(figures);
            with.putTo(figures);
            figures.put("p99Ratio", with.ratioTo(without, Traffic.Latency::p99));
            figures.put("p99RatioUnheard", beside.ratioTo(without, Traffic.Latency::p99));
            figures.put("proxyP99Ratio", with.ratioTo(without, Traffic.Latency::proxyP99));
            figures.put("proxyP99RatioToUnheard", with.ratioTo(beside, Traffic.Latency::proxyP99));
            figures.put("proxyP99RatioUnheard", beside.ratioTo(without, Traffic.Latency::proxyP99));
        }
    }

    @Override
    public void run(Effort effort, ObjectNode figures) throws Exception {
        // Before anything is started, because that inherits it.
        Processors.pinAll("1");
        AutoCloseable awake = Processors.awake();
        try (Site site = Site.start()) {
            measure(site, effort, figures);
        } finally {
            awake.close();
            Processors.pinAll("0-" + (Processors.COUNT - 1));
        }
    }

    private void measure(Site site, Effort effort, ObjectNode figures) throws Exception {
        Site.ControlPlane controlPlane = site.controlPlane();
        site.fill(controlPlane, ROUTES);
        site.gateways(controlPlane, "simulated", 1);
        for (ProcessHandle started : ProcessHandle.current().descendants().toList()) {
            Processors.giveWay(started.pid());
        }
        try (Line line = Line.to(controlPlane.clusterPort());
                SigmaProcess hearing = site.gateway(controlPlane.clusterPort(), HEARING);
                SigmaProcess deaf = site.gateway(line.port(), DEAF)) {
            Processors.pin(hearing.pid(), "0");
            Processors.pin(deaf.pid(), "0");
            Await.until("all gateways are current", () -> site.current(controlPlane) == 3);
            measure(
                    site,
                    controlPlane,
                    line,
                    new Traffic.Target(hearing, HEARING),
                    new Traffic.Target(deaf, DEAF),
                    effort,
                    figures);
        }
    }

    private void measure(
            Site site,
            Site.ControlPlane controlPlane,
            Line line,
            Traffic.Target hearing,
            Traffic.Target deaf,
            Effort effort,
            ObjectNode figures)
            throws Exception {
        Traffic traffic = new Traffic(load, site, controlPlane.admin());
        for (int rate : RATES) {
            traffic.quiet(deaf, rate, WARM_UP_SECONDS);
        }
        line.cut();
        Await.until("the deaf one is missed", () -> site.current(controlPlane) == 2);
        Writes warming = new Writes(site, ROUTES, 2);
        for (int i = 0; i < WARM_UP_WRITES; i++) {
            warming.write(controlPlane.admin(), WARM_UP_ROUNDS + i);
        }
        for (int rate : RATES) {
            traffic.besideWrites(hearing, rate, WARM_UP_SECONDS, new Traffic.Tally(new Writes(site, ROUTES, 2)));
        }
        Traffic.Tally tally = new Traffic.Tally(new Writes(site, ROUTES, 2));
        List<Measured> all = Arrays.stream(RATES).mapToObj(Measured::new).toList();
        int seconds = Math.max(1, effort.seconds() / (TURNS * RATES.length));
        int compared = Math.min(seconds, COMPARED_SECONDS_MAX);
        for (int i = 0; i < TURNS; i++) {
            for (Measured one : all) {
                int rate = one.rate();
                one.without().add(rate, traffic.quiet(hearing, rate, compared));
                one.with().add(rate, traffic.besideWrites(hearing, rate, seconds, tally));
                one.beside().add(rate, traffic.besideWrites(deaf, rate, compared, tally));
            }
        }
        figures.put("seconds", seconds * TURNS * RATES.length);
        figures.put("requestErrors", traffic.errors());
        figures.put("writeErrors", tally.errors());
        tally.writes().putTo(figures);
        all.forEach(one -> one.putTo(figures.putObject("at" + one.rate())));
    }
}
