package io.sigma.bench.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.bench.Figures;
import io.sigma.e2e.Await;
import io.sigma.e2e.SigmaProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * 20 writes a second at 10,000 routes while a gateway carries traffic at a fixed rate. The gateway has the first processor for
 * itself; the load, PostgreSQL, the control plane and this process share the second, the load before them.
 *
 * <p>What the second processor has to do disturbs the load, whatever the gateway does. So there are three kinds of turns, one after
 * the other: without writes; with writes that the gateway does not hear of, because its line is cut; and with writes that it
 * applies. Another gateway, which carries nothing, hears of all of them, so that the control plane does the same in both.
 */
final class UnderTraffic implements Scenario {

    private static final int ROUTES = 10_000;
    /** Of each kind: the machine is another one from minute to minute, so ratios are those of neighbours. */
    private static final int TURNS = 6;

    private static final int WARM_UP_SECONDS = 10;

    /** One after the other: at a fixed rate, a control plane that compiles its code on a shared processor would fall behind. */
    private static final int WARM_UP_WRITES = 400;

    /** Beyond what writes under traffic get to, so that each changes something. */
    private static final int WARM_UP_ROUNDS = 1_000_000;

    /** Turns that nothing is asked of are as long as is enough for a p99. */
    private static final int COMPARED_SECONDS_MAX = 10;

    private final Path load;

    UnderTraffic(Path load) {
        this.load = load;
    }

    /** The turns of one kind. */
    private record Turns(String name, List<Traffic.Latency> latencies) {

        Turns(String name) {
            this(name, new ArrayList<>());
        }

        double median(ToDoubleFunction<Traffic.Latency> figure) {
            return Figures.median(latencies.stream().mapToDouble(figure).toArray());
        }

        /** Returns the median of its p99 ÷ that of the turn of another kind beside it. */
        double p99RatioTo(Turns other) {
            double[] ratios = new double[latencies.size()];
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] = latencies.get(i).p99() / other.latencies.get(i).p99();
            }
            return Times.rounded(Figures.median(ratios));
        }

        void putTo(ObjectNode figures) {
            figures.put("p50Micros" + name, median(Traffic.Latency::p50))
                    .put("p99Micros" + name, median(Traffic.Latency::p99));
            ArrayNode turns = figures.putArray("p99MicrosOfTurns" + name);
            latencies.forEach(latency -> turns.add(latency.p99()));
        }
    }

    @Override
    public void run(Effort effort, ObjectNode figures) throws Exception {
        long self = ProcessHandle.current().pid();
        // Before anything is started, because that inherits it.
        Processors.pin(self, "1");
        try (Site site = Site.start()) {
            measure(site, effort, figures);
        } finally {
            Processors.pin(self, "0-" + (Processors.COUNT - 1));
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
                SigmaProcess gateway = site.gateway(line.port())) {
            Processors.pin(gateway.pid(), "0");
            Await.until("both gateways are current", () -> site.current(controlPlane) == 2);
            Writes warming = new Writes(site, ROUTES, 2);
            for (int i = 0; i < WARM_UP_WRITES; i++) {
                warming.write(controlPlane.admin(), WARM_UP_ROUNDS + i);
            }
            Traffic traffic = new Traffic(load, site, controlPlane.admin(), gateway);
            traffic.besideWrites(WARM_UP_SECONDS, new Traffic.Tally(new Writes(site, ROUTES, 2)));
            traffic.quiet(WARM_UP_SECONDS);
            Traffic.Tally heard = new Traffic.Tally(new Writes(site, ROUTES, 2));
            Traffic.Tally unheard = new Traffic.Tally(new Writes(site, ROUTES, 1));
            Turns without = new Turns("WithoutWrites");
            Turns beside = new Turns("BesideWritesUnheard");
            Turns with = new Turns("WithWrites");
            int seconds = Math.max(1, effort.seconds() / TURNS);
            int compared = Math.min(seconds, COMPARED_SECONDS_MAX);
            for (int i = 0; i < TURNS; i++) {
                without.latencies().add(traffic.quiet(compared));
                with.latencies().add(traffic.besideWrites(seconds, heard));
                line.cut();
                Await.until("the gateway is missed", () -> site.current(controlPlane) == 1);
                beside.latencies().add(traffic.besideWrites(compared, unheard));
                line.mend();
                Await.until("both gateways are current", () -> site.current(controlPlane) == 2);
            }
            figures.put("seconds", seconds * TURNS);
            figures.put("requestsPerSecond", Traffic.REQUESTS_A_SECOND);
            figures.put("requestErrors", traffic.errors());
            figures.put("writeErrors", heard.errors() + unheard.errors());
            heard.writes().putTo(figures);
            without.putTo(figures);
            beside.putTo(figures);
            with.putTo(figures);
            figures.put("p99Ratio", with.p99RatioTo(without));
            figures.put("p99RatioOfMachine", beside.p99RatioTo(without));
            figures.put("p99RatioOfGateway", with.p99RatioTo(beside));
        }
    }
}
