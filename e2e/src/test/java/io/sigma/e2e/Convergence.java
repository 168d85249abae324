package io.sigma.e2e;

import java.util.List;

/**
 * The time until a plant is whole again: each control plane takes a write, both gateways serve all of these writes by
 * their own word, and each control plane knows it.
 */
final class Convergence {

    private Convergence() {}

    /** Returns the milliseconds from {@code sinceNanos} until the plant is whole; fails after a minute. */
    static long await(Plant plant, long sinceNanos) {
        return await(plant, plant.controlPlanes, sinceNanos);
    }

    /** As {@link #await(Plant, long)}, with these control planes. */
    static long await(Plant plant, List<Plant.ControlPlane> controlPlanes, long sinceNanos) {
        long written = 0;
        for (int i = 0; i < controlPlanes.size(); i++) {
            written = Math.max(written, write(controlPlanes.get(i), "mark-" + i, sinceNanos));
        }
        long newest = written;
        for (Plant.Gateway gateway : plant.gateways) {
            Await.until(gateway.process + " serves revision " + newest, () -> gateway.revision() >= newest);
            for (Plant.ControlPlane controlPlane : controlPlanes) {
                Await.until(
                        gateway.id + " serves revision " + newest + " in the eyes of " + controlPlane.process,
                        () -> serves(controlPlane.admin, gateway.id, newest));
            }
        }
        return (System.nanoTime() - sinceNanos) / 1_000_000;
    }

    private static long write(Plant.ControlPlane controlPlane, String id, long number) {
        long[] revision = new long[1];
        Await.until(controlPlane.process + " takes a write", () -> {
            revision[0] = controlPlane
                    .admin
                    .put(
                            "/upstreams/" + id,
                            "{\"nodes\":[{\"url\":\"http://127.0.0.1:9\"}],\"labels\":{\"number\":\"" + number + "\"}}")
                    .at("/revision/number")
                    .asLong();
            return true;
        });
        return revision[0];
    }

    /** Writes go on meanwhile, so a gateway may be behind what is newest now. */
    private static boolean serves(Admin admin, String gatewayId, long revision) {
        var seen = admin.get("/gateways/" + gatewayId);
        return List.of("CURRENT", "BEHIND").contains(seen.path("state").asText())
                && seen.path("revision").asLong() >= revision;
    }
}
