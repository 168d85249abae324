package io.sigma.dataplane.loop;

import java.util.ArrayDeque;

/** Lets a few things at a time run on an event loop; the others wait in order. Confined to it. */
public final class Turnstile {

    private final int max;
    private final Loop.Scheduler scheduler;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(0);
    private int inside;

    Turnstile(int max, Loop.Scheduler scheduler) {
        this.max = max;
        this.scheduler = scheduler;
    }

    /**
     * Runs {@code task}, now or when it is its turn; {@link #leave} follows exactly once, when what it began is over.
     */
    public void enter(Runnable task) {
        if (inside < max) {
            inside++;
            task.run();
        } else {
            waiting.add(task);
        }
    }

    /** Something that entered is over. */
    public void leave() {
        Runnable next = waiting.poll();
        if (next == null) {
            inside--;
        } else {
            scheduler.execute(next);
        }
    }
}
