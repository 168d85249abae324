package io.sigma.e2e;

import io.sigma.e2e.fault.Relay;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Relays between each gateway and each control plane, and schedules of faults that a seed decides. */
final class BusFaults implements AutoCloseable {

    private static final List<Relay.Fault> FAULTS = List.of(Relay.Fault.values());
    private static final int STEPS_MAX = 4;
    private static final int WRITES_MAX = 3;

    private final List<Relay> relays = new ArrayList<>();

    /** Returns the wiring of a plant whose gateways reach control planes through these relays. */
    Plant.Wiring wiring() {
        return (gatewayId, clusterPort) -> {
            Relay relay = Relay.to(clusterPort);
            relays.add(relay);
            return relay.port();
        };
    }

    /**
     * Does a few faults after one another, with writes between them, and heals everything.
     *
     * @param faultMillisMax longest time of one fault
     * @return what was done, for people
     */
    String run(long seed, Plant plant, long faultMillisMax) {
        Random random = new Random(seed);
        StringBuilder story = new StringBuilder("-Dsigma.seed=" + seed + ":");
        List<CompletableFuture<Void>> written = new ArrayList<>();
        int steps = 1 + random.nextInt(STEPS_MAX);
        for (int step = 0; step < steps; step++) {
            Relay.Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
            // Gateway by gateway, and of each the first control plane first.
            int which = 1 + random.nextInt((1 << relays.size()) - 1);
            long delay = random.nextLong(20, 400);
            for (int i = 0; i < relays.size(); i++) {
                if ((which >> i & 1) == 1) {
                    relays.get(i).inject(fault, delay);
                }
            }
            long millis = random.nextLong(20, faultMillisMax);
            int writes = random.nextInt(WRITES_MAX + 1);
            story.append(
                    " %s at %s for %d ms, %d writes;".formatted(fault, Integer.toBinaryString(which), millis, writes));
            for (int i = 0; i < writes; i++) {
                Admin admin = plant.controlPlanes.get(random.nextInt(2)).admin;
                String path = "/upstreams/fault-" + random.nextInt(10);
                String node = "http://127.0.0.1:" + (1 + random.nextInt(65_535));
                // Beside the fault: a write waits for the votes of gateways that do not hear.
                written.add(
                        CompletableFuture.runAsync(() -> admin.put(path, "{\"nodes\":[{\"url\":\"" + node + "\"}]}")));
            }
            Await.pause(millis);
        }
        relays.forEach(Relay::heal);
        written.forEach(CompletableFuture::join);
        return story.toString();
    }

    /** Ends every connection. */
    void reset() {
        everywhere(Relay.Fault.RESET, 0);
    }

    /** Does the same everywhere for a while. */
    void everywhere(Relay.Fault fault, long millis) {
        relays.forEach(relay -> relay.inject(fault, 0));
        Await.pause(millis);
        relays.forEach(Relay::heal);
    }

    @Override
    public void close() {
        relays.forEach(Relay::close);
    }
}
