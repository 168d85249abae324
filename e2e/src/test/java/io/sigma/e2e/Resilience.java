package io.sigma.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.e2e.fault.Relay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * A plant with traffic at both gateways and writes at both control planes, to which faults are done. What must hold all
 * the time is checked by {@link #check}.
 */
final class Resilience implements AutoCloseable {

    private static final long TRAFFIC_PAUSE_MILLIS = 10;

    final Plant plant;
    final int port;
    private final Nodes node;
    private RevisionWatch watch;
    private final List<Traffic> traffic = new ArrayList<>();
    private final List<Ledger> ledgers = new ArrayList<>();
    private final List<Durations> measured = new ArrayList<>();

    private Resilience(Plant plant, Nodes node, int port) {
        this.plant = plant;
        this.node = node;
        this.port = port;
        this.watch = RevisionWatch.start(plant.gateways);
        plant.gateways.forEach(gateway -> traffic.add(Traffic.start(gateway.url(port, "/"), TRAFFIC_PAUSE_MILLIS)));
    }

    static Resilience start(Path folder) throws IOException {
        return start(folder, Plant.Wiring.DIRECT, command -> {});
    }

    static Resilience start(Path folder, Plant.Wiring wiring, Consumer<SigmaProcess.Command> adjust)
            throws IOException {
        Nodes node = Nodes.start("node", folder);
        Plant plant = Plant.start(folder, wiring, adjust);
        int port = Ports.free();
        Admin admin = plant.admin();
        admin.put("/upstreams/node", "{\"nodes\":[{\"url\":\"http://127.0.0.1:" + node.port() + "\"}]}");
        admin.put("/proxy-passes/to-node", "{\"upstreamId\":\"node\"}");
        admin.put("/proxy-servers/web", "{\"port\":" + port + "}");
        admin.put("/routers/all", "{\"proxyServerId\":\"web\"}");
        admin.put(
                "/routes/everything?wait=all&timeout=20s",
                "{\"routerId\":\"all\",\"path\":\"/*\",\"proxyPassId\":\"to-node\"}");
        // A process that loads its classes on a busy machine is slow once; that is not what is tried here.
        plant.gateways.forEach(
                gateway -> Await.until(gateway.process + " serves", () -> Http.isOk(gateway.url(port, "/first"))));
        Convergence.await(plant, System.nanoTime());
        return new Resilience(plant, node, port);
    }

    /** Begins to write at each control plane. */
    Resilience withWrites() {
        for (Plant.ControlPlane controlPlane : plant.controlPlanes) {
            ledgers.add(Ledger.start("at-" + ledgers.size(), controlPlane.admin));
        }
        return this;
    }

    /** Sends the requests of a path to the node by a name, and begins to send such at each gateway. */
    void forwardToName(String path, String host) {
        Admin admin = plant.admin();
        admin.put("/upstreams/named", "{\"nodes\":[{\"url\":\"http://" + host + ":" + node.port() + "\"}]}");
        admin.put("/proxy-passes/to-named", "{\"upstreamId\":\"named\"}");
        admin.put(
                "/routes/named?wait=all&timeout=20s",
                "{\"routerId\":\"all\",\"path\":\"" + path + "\",\"proxyPassId\":\"to-named\"}");
        if (traffic.size() > plant.gateways.size()) {
            return;
        }
        for (Plant.Gateway gateway : plant.gateways) {
            Await.until(gateway.id + " finds " + host, () -> Http.isOk(gateway.url(port, path)));
            traffic.add(Traffic.start(gateway.url(port, path), TRAFFIC_PAUSE_MILLIS));
        }
    }

    /** Returns where the durations after one kind of fault are kept. */
    Durations durations(String fault) {
        for (Durations known : measured) {
            if (known.fault().equals(fault)) {
                return known;
            }
        }
        Durations durations = new Durations(fault);
        measured.add(durations);
        return durations;
    }

    void killTheDatabase(int times) {
        Durations durations = durations("PostgreSQL kill -9");
        for (int i = 0; i < times; i++) {
            plant.killDatabase();
            durations.add(Convergence.await(plant, System.nanoTime()));
        }
    }

    /** In turn; each time the other one must do by itself until the killed one answers again. */
    void killControlPlanes(int times) {
        Durations alone = durations("control plane kill -9, with the other alone");
        Durations back = durations("control plane kill -9, when it is back");
        for (int i = 0; i < times; i++) {
            Plant.ControlPlane victim = plant.controlPlanes.get(i % 2);
            victim.process.kill();
            alone.add(Convergence.await(plant, List.of(plant.controlPlanes.get(1 - i % 2)), System.nanoTime()));
            victim.restart();
            Await.until(victim.process + " is up", victim.admin::isUp);
            back.add(Convergence.await(plant, System.nanoTime()));
        }
    }

    /**
     * Tries schedules of faults of the bus.
     *
     * @param seeds one for each
     */
    void disturbTheBus(BusFaults bus, LongStream seeds, long faultMillisMax) {
        Durations durations = durations("schedules of bus faults");
        seeds.forEach(seed -> {
            String story = bus.run(seed, plant, faultMillisMax);
            try {
                long millis = Convergence.await(plant, System.nanoTime());
                durations.add(millis);
                if (millis > Durations.MILLIS_MAX) {
                    System.out.println(millis + " ms after " + story);
                }
            } catch (AssertionError e) {
                throw new AssertionError(story, e);
            }
        });
    }

    /** Keeps every gateway from every control plane, for long enough that gateways seldom try. */
    void cutOff(BusFaults bus, long millis) {
        for (Relay.Fault fault : List.of(Relay.Fault.RESET, Relay.Fault.PARTITIONED, Relay.Fault.HALF_OPEN)) {
            Durations durations = durations("no control plane for " + millis / 1_000 + " s, " + fault);
            bus.everywhere(fault, millis);
            durations.add(Convergence.await(plant, System.nanoTime()));
        }
    }

    /**
     * Restores the database to an older state, again and again; gateways and control planes must come to that state.
     *
     * @param collide whether a write comes at once, so that a revision has a number that was there already
     */
    void restoreTheDatabase(int times, boolean collide, Backup backup) throws IOException {
        Durations durations = durations("restored from " + backup + (collide ? ", and a write at once" : ""));
        watch.close();
        assertThat(watch.stepsBack()).isEmpty();
        for (int i = 0; i < times; i++) {
            durations.add(new Restore(plant, backup).run(collide));
        }
        watch = RevisionWatch.start(plant.gateways);
    }

    /** Sends random batches to both control planes. */
    void sendBatches(int count, long seed) throws IOException {
        new RandomBatches(plant, seed, durations("random batches, and what mends them")).run(count);
    }

    /** Ends the writes and checks that none is lost, that no gateway went back, and that no client saw an error. */
    void check() {
        ledgers.forEach(Ledger::close);
        check(ledgers);
        ledgers.clear();
        measured.clear();
    }

    private void check(List<Ledger> ledgers) {
        plant.awaitConverged();
        System.out.print(report(ledgers));
        for (int i = 0; i < traffic.size(); i++) {
            assertThat(traffic.get(i).failures())
                    .as("failures that clients of %s saw", plant.gateways.get(i % 2).id)
                    .isEmpty();
            assertThat(traffic.get(i).answers()).isPositive();
        }
        assertThat(watch.stepsBack()).isEmpty();
        for (Plant.ControlPlane controlPlane : plant.controlPlanes) {
            ledgers.forEach(ledger -> assertThat(ledger.lost(controlPlane.admin))
                    .as("acknowledged writes that %s lacks", controlPlane.process)
                    .isEmpty());
        }
        measured.forEach(durations ->
                assertThat(durations.worst()).as(durations.line()).isLessThanOrEqualTo(Durations.MILLIS_MAX));
    }

    private String report(List<Ledger> ledgers) {
        StringBuilder text = new StringBuilder(Durations.header());
        measured.forEach(durations -> text.append(durations.line()));
        return text.append("%d writes acknowledged, %d requests answered, %d failed%n"
                        .formatted(
                                ledgers.stream().mapToLong(Ledger::count).sum(),
                                traffic.stream().mapToLong(Traffic::answers).sum(),
                                traffic.stream()
                                        .mapToLong(t -> t.failures().size())
                                        .sum()))
                .toString();
    }

    @Override
    public void close() {
        ledgers.forEach(Ledger::close);
        traffic.forEach(Traffic::close);
        watch.close();
        plant.close();
        node.close();
    }
}
