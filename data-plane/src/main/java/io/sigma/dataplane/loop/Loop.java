package io.sigma.dataplane.loop;

/** One event loop. */
public final class Loop {

    /** How an engine runs tasks on one of its event loops. */
    public interface Scheduler {

        /** Runs {@code task} on the loop, soon; from any thread. */
        void execute(Runnable task);

        /** Runs {@code task} on the loop after {@code millis}; from any thread. */
        void schedule(Runnable task, long millis);
    }

    private final int index;
    private final Scheduler scheduler;
    private final Deadlines deadlines;

    /**
     * @param index from 0; per-loop state is an array slot under it
     */
    public Loop(int index, Scheduler scheduler) {
        this.index = index;
        this.scheduler = scheduler;
        this.deadlines = new Deadlines(scheduler);
    }

    public int index() {
        return index;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** Returns the deadlines of this loop; to be used on the loop only. */
    public Deadlines deadlines() {
        return deadlines;
    }
}
