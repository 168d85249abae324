package io.sigma.dataplane.loop;

/** An event loop. */
public final class Loop {

    /** Runs tasks on one of an engine's event loops. */
    public interface Scheduler {

        /** Runs {@code task} on the loop, soon; from any thread. */
        void execute(Runnable task);

        /** Runs {@code task} on the loop when what this turn of it reads has been read; on the loop only. */
        default void afterTurn(Runnable task) {
            execute(task);
        }

        /** Runs {@code task} on the loop when it has looked once more at all of its sockets; on the loop only. */
        default void afterInput(Runnable task) {
            schedule(task, 1);
        }

        /** Runs {@code task} on the loop after {@code millis}; from any thread. */
        void schedule(Runnable task, long millis);
    }

    private static final long EXCHANGE_TICK_MILLIS = 20;
    private static final long CONNECTION_TICK_MILLIS = 100;

    /** Connections that are opened at a time although no request waits for them. */
    private static final int SPARES_MAX = 16;

    private final int index;
    private final Scheduler scheduler;
    private final Deadlines exchangeDeadlines;
    private final Deadlines connectionDeadlines;
    private final Turnstile spares;
    private final HeldMemory memory;
    private final LiveConnections connections;
    private final Runnable turnOver = this::turnOver;
    private long nanos;
    private boolean timeKnown;

    /**
     * @param index from 0; per-loop state is an array slot under it
     */
    public Loop(int index, Scheduler scheduler) {
        this(index, scheduler, MemoryBudget.unlimited(), 1);
    }

    /**
     * @param index from 0; per-loop state is an array slot under it
     * @param budget the memory that the connections of all loops may hold
     * @param loops how many loops there are
     */
    public Loop(int index, Scheduler scheduler, MemoryBudget budget, int loops) {
        this.memory = new HeldMemory(budget, loops, scheduler, this::nanos);
        this.index = index;
        this.scheduler = scheduler;
        this.exchangeDeadlines = new Deadlines(scheduler, this::nanos, EXCHANGE_TICK_MILLIS);
        this.connectionDeadlines = new Deadlines(scheduler, this::nanos, CONNECTION_TICK_MILLIS);
        this.spares = new Turnstile(SPARES_MAX, scheduler);
        this.connections = new LiveConnections(index, scheduler);
    }

    public int index() {
        return index;
    }

    /**
     * Returns the time by {@link System#nanoTime()} when it was first asked for in this turn of the loop: whatever
     * arrived with one wake-up arrived at one time, and a request asks many times. On the loop only.
     */
    public long nanos() {
        if (!timeKnown) {
            nanos = System.nanoTime();
            timeKnown = true;
            scheduler.afterTurn(turnOver);
        }
        return nanos;
    }

    private void turnOver() {
        timeKnown = false;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** Returns the deadlines of running exchanges, of which there are few; to be used on the loop only. */
    public Deadlines exchangeDeadlines() {
        return exchangeDeadlines;
    }

    /**
     * Returns what bounds how many connections are opened at a time although no request waits for them; on the loop
     * only.
     */
    public Turnstile spares() {
        return spares;
    }

    /** Returns what connections of this loop hold for their peers; on the loop only. */
    public HeldMemory memory() {
        return memory;
    }

    /** Returns the connections that operators can see; to be used on the loop only. */
    public LiveConnections connections() {
        return connections;
    }

    /** Returns the deadlines of open connections, which may be many and are looked at less often; on the loop only. */
    public Deadlines connectionDeadlines() {
        return connectionDeadlines;
    }
}
