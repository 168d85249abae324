package io.sigma.e2e.chaos;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Tries attacks on one target: a quiet phase, the attack, and the time after it, with the same other clients all along.
 */
final class Trial implements AutoCloseable {

    private static final long LOOK_MILLIS = 200;
    private static final long AFTER_MILLIS = 200;

    private final Target target;
    private final BooleanSupplier alive;
    private final LongSupplier logBytes;
    private final Others others;
    private final ProcessMemory memory;

    /**
     * @param pid the process of the target
     * @param alive whether it lives
     * @param logBytes how much it has logged
     */
    Trial(Target target, long pid, BooleanSupplier alive, LongSupplier logBytes) {
        this.target = target;
        this.alive = alive;
        this.logBytes = logBytes;
        this.others = Others.start(target);
        this.memory = ProcessMemory.watch(pid);
        // The first request of each client is slow.
        others.begin();
        others.settle();
    }

    /** Runs an attack, and returns the number of its connections that began. */
    @FunctionalInterface
    interface Runner {
        long run(Target target, long millis) throws IOException;
    }

    /**
     * Tries an attack.
     *
     * @param name what it is called in the result
     * @param memoryMillis the longest wait for memory that comes back
     */
    Result run(String name, Runner runner, long quietMillis, long attackMillis, long memoryMillis) throws IOException {
        Phase quiet = others.begin();
        pause(quietMillis);
        others.settle();
        memory.peakKib();
        long logged = logBytes.getAsLong();
        long quietKib = memory.nowKib();
        Phase attacked = others.begin();
        long begun = runner.run(target, attackMillis);
        Phase after = others.begin();
        others.settle();
        pause(AFTER_MILLIS);
        long from = System.nanoTime();
        long deadline = from + TimeUnit.MILLISECONDS.toNanos(memoryMillis);
        while (isAlive() && memory.nowKib() > quietKib * Result.GROWTH_MAX && System.nanoTime() < deadline) {
            pause(LOOK_MILLIS);
        }
        long afterMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from);
        others.begin();
        others.settle();
        return new Result(
                name,
                target.name(),
                begun,
                isAlive(),
                quiet,
                attacked,
                after,
                quietKib,
                memory.peakKib(),
                memory.nowKib(),
                afterMillis,
                (logBytes.getAsLong() - logged) / 1024);
    }

    boolean isAlive() {
        return alive.getAsBoolean();
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        others.close();
        memory.close();
    }
}
