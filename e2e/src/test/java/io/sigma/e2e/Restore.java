package io.sigma.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** A database that loses what was written since a backup, while gateways and control planes still have it. */
final class Restore {

    private static final int LOST_WRITES = 3;

    private final Plant plant;
    private final Backup backup;

    Restore(Plant plant, Backup backup) {
        this.plant = plant;
        this.backup = backup;
    }

    /**
     * Returns the milliseconds from the time when the restored database answers until everything has its state.
     *
     * @param collide whether a write comes at once
     */
    long run(boolean collide) throws IOException {
        Convergence.await(plant, System.nanoTime());
        backup.take(plant);
        Convergence.await(plant, System.nanoTime());
        for (int i = 0; i < LOST_WRITES; i++) {
            plant.controlPlanes.get(i % 2).admin.put("/upstreams/lost-" + i + "?wait=all", upstream());
        }
        int[] said = plant.controlPlanes.stream()
                .mapToInt(controlPlane -> sayings(controlPlane.process))
                .toArray();
        backup.restore(plant);
        long since = System.nanoTime();
        if (collide) {
            Await.until(
                    "a write is taken",
                    () -> plant.admin()
                                    .put("/upstreams/found-" + since, upstream())
                                    .path("revision")
                                    .path("number")
                                    .asLong()
                            > 0);
        }
        for (Plant.ControlPlane controlPlane : plant.controlPlanes) {
            Await.until(controlPlane.process + " has what was restored", () -> isRestored(controlPlane.admin));
        }
        long millis = (System.nanoTime() - since) / 1_000_000;
        for (int i = 0; i < said.length; i++) {
            SigmaProcess process = plant.controlPlanes.get(i).process;
            assertThat(sayings(process)).as(process + " says so").isGreaterThan(said[i]);
        }
        return millis;
    }

    private static String upstream() {
        return "{\"nodes\":[{\"url\":\"http://127.0.0.1:9\"}]}";
    }

    private static int sayings(SigmaProcess process) {
        return (int) process.output()
                .lines()
                .filter(line -> line.contains("it was restored"))
                .count();
    }

    /** Returns whether nothing of the lost history is there, here or in a gateway as it is seen here or says itself. */
    private boolean isRestored(Admin admin) {
        JsonNode config = admin.get("/config");
        boolean lost = config.path("upstreams").findValuesAsText("id").stream().anyMatch(id -> id.startsWith("lost-"));
        return !lost
                && plant.gateways.stream().allMatch(gateway -> {
                    JsonNode seen = admin.get("/gateways/" + gateway.id);
                    return seen.path("state").asText().equals("CURRENT")
                            && seen.path("stateHash").equals(config.path("stateHash"))
                            && gateway.revision() == config.path("revision").asLong();
                });
    }
}
