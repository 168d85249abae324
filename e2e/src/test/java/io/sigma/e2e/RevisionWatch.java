package io.sigma.e2e;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Looks all the time which revision each gateway serves, and keeps each step to an older one. */
final class RevisionWatch implements AutoCloseable {

    private static final long PAUSE_MILLIS = 100;

    private final List<Plant.Gateway> gateways;
    private final Queue<String> steps = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean running = true;

    private RevisionWatch(List<Plant.Gateway> gateways) {
        this.gateways = gateways;
        this.thread = Thread.ofPlatform().name("revision-watch").start(this::run);
    }

    static RevisionWatch start(List<Plant.Gateway> gateways) {
        return new RevisionWatch(gateways);
    }

    private void run() {
        Map<String, Long> last = new HashMap<>();
        while (running) {
            for (Plant.Gateway gateway : gateways) {
                long now = gateway.revision();
                long before = last.getOrDefault(gateway.id, 0L);
                if (now >= 0) {
                    last.put(gateway.id, now);
                }
                if (now >= 0 && now < before) {
                    steps.add(gateway.id + " went from revision " + before + " to " + now);
                }
            }
            Await.pause(PAUSE_MILLIS);
        }
    }

    List<String> stepsBack() {
        return List.copyOf(steps);
    }

    @Override
    public void close() {
        running = false;
        Await.ended(thread);
    }
}
