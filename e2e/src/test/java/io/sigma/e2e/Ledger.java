package io.sigma.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes ever higher numbers into a few resources at one control plane until it is closed, and keeps the last number of
 * each that was acknowledged. It is the only one that writes these resources, so none may hold a lower number.
 */
final class Ledger implements AutoCloseable {

    private static final int RESOURCES = 40;
    private static final long PAUSE_MILLIS = 50;

    private final String name;
    private final Admin admin;
    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();
    private final Thread thread;
    private volatile boolean running = true;

    private Ledger(String name, Admin admin) {
        this.name = name;
        this.admin = admin;
        this.thread = Thread.ofPlatform().name("ledger-" + name).start(this::run);
    }

    /**
     * @param name begins the ids of what is written
     */
    static Ledger start(String name, Admin admin) {
        return new Ledger(name, admin);
    }

    private void run() {
        for (long number = 1; running; number++) {
            String id = name + "-" + number % RESOURCES;
            try {
                if (write(id, number).status() / 100 == 2) {
                    acknowledged.put(id, number);
                    count.incrementAndGet();
                }
            } catch (UncheckedIOException e) {
                // Who does not answer acknowledges nothing.
            }
            Await.pause(PAUSE_MILLIS);
        }
    }

    /** Upstreams that nothing names, and routes of the proxy server that carries traffic. */
    private Http.Answer write(String id, long number) {
        String labels = "\"labels\":{\"number\":\"" + number + "\"}";
        return number % RESOURCES % 2 == 0
                ? admin.send("PUT", "/upstreams/" + id, "{\"nodes\":[{\"url\":\"http://127.0.0.1:9\"}]," + labels + "}")
                : admin.send(
                        "PUT",
                        "/routes/" + id,
                        "{\"routerId\":\"all\",\"path\":\"/" + id + "/" + number + "\",\"proxyPassId\":\"to-node\","
                                + labels + "}");
    }

    /** Returns how many writes were acknowledged. */
    long count() {
        return count.get();
    }

    /** Returns what {@code reader} holds less of than was acknowledged. */
    List<String> lost(Admin reader) {
        JsonNode config = reader.get("/config");
        Map<String, Long> held = new ConcurrentHashMap<>();
        for (String kind : List.of("upstreams", "routes")) {
            config.path(kind)
                    .forEach(resource -> held.put(
                            resource.path("id").asText(),
                            resource.at("/labels/number").asLong()));
        }
        List<String> lost = new ArrayList<>();
        acknowledged.forEach((id, number) -> {
            if (held.getOrDefault(id, 0L) < number) {
                lost.add(id + ": " + held.get(id) + " (acknowledged: " + number + ")");
            }
        });
        return lost;
    }

    @Override
    public void close() {
        running = false;
        Await.ended(thread);
    }
}
