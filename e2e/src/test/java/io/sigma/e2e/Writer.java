package io.sigma.e2e;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Creates one upstream after the other until it is closed, each at the next control plane that takes it, and keeps the
 * ids whose creation was acknowledged.
 */
final class Writer implements AutoCloseable {

    private final List<String> acknowledged = new CopyOnWriteArrayList<>();
    private final List<Admin> admins;
    private final Thread thread;
    private volatile boolean running = true;

    private Writer(List<Admin> admins) {
        this.admins = admins;
        this.thread = Thread.ofPlatform().name("writer").start(this::run);
    }

    static Writer start(List<Admin> admins) {
        return new Writer(admins);
    }

    private void run() {
        for (int i = 0; running; i++) {
            String id = "note-" + i;
            try {
                Http.Answer answer = admins.get(i % admins.size())
                        .send("PUT", "/upstreams/" + id, "{\"nodes\":[{\"url\":\"http://127.0.0.1:9\"}]}");
                if (answer.status() == 201) {
                    acknowledged.add(id);
                }
            } catch (UncheckedIOException e) {
                // A dead control plane acknowledges nothing.
            }
            Await.pause();
        }
    }

    /** Returns once {@code count} more writes were acknowledged. */
    void awaitMore(int count) {
        int before = acknowledged.size();
        Await.until(count + " more writes are acknowledged", () -> acknowledged.size() >= before + count);
    }

    /** Returns the acknowledged ids that {@code admin} does not have. */
    List<String> lost(Admin admin) {
        List<String> ids = admin.get("/config").path("upstreams").findValuesAsText("id");
        return acknowledged.stream().filter(id -> !ids.contains(id)).toList();
    }

    @Override
    public void close() {
        running = false;
        Await.ended(thread);
    }
}
