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

    private static final long EXCHANGE_TICK_MILLIS = 20;
    private static final long CONNECTION_TICK_MILLIS = 100;

    private final int index;
    private final Scheduler scheduler;
    private final Deadlines exchangeDeadlines;
    private final Deadlines connectionDeadlines;

    /**
     * @param index from 0; per-loop state is an array slot under it
     */
    public Loop(int index, Scheduler scheduler) {
        this.index = index;
        this.scheduler = scheduler;
        this.exchangeDeadlines = new Deadlines(scheduler, EXCHANGE_TICK_MILLIS);
        this.connectionDeadlines = new Deadlines(scheduler, CONNECTION_TICK_MILLIS);
    }

    public int index() {
        return index;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** Returns the deadlines of running exchanges, of which there are few; to be used on the loop only. */
    public Deadlines exchangeDeadlines() {
        return exchangeDeadlines;
    }

    /** Returns the deadlines of open connections, which may be many and are looked at less often; on the loop only. */
    public Deadlines connectionDeadlines() {
        return connectionDeadlines;
    }
}
