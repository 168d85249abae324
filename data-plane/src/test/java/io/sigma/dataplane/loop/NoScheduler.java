package io.sigma.dataplane.loop;

/** Of an event loop on which nothing is to run. */
public final class NoScheduler implements Loop.Scheduler {

    @Override
    public void execute(Runnable task) {
        throw new AssertionError("nothing runs here");
    }

    @Override
    public void schedule(Runnable task, long millis) {
        throw new AssertionError("nothing runs here");
    }
}
