package io.sigma.controlplane.access;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Hashes passwords on threads of its own, because each takes a processor and some memory for a while: two at once, and
 * a bounded number waits. Thread-safe; methods wait, on a virtual thread.
 */
public final class Passwords implements AutoCloseable {

    private static final int THREADS = 2;
    private static final int WAITING_MAX = 64;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            30,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            Thread.ofPlatform().name("sigma-passwords-", 0).daemon().factory());

    /** The hash that is checked for an unknown user, so that the answer takes the same time. */
    private final Argon2Hash nobodys = Argon2Hash.of("");

    public Passwords() {
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Returns the hash of {@code password}, as text.
     *
     * @throws FailureException with {@link Failure.Unavailable} when too many wait
     */
    String hash(String password) {
        return run(() -> Argon2Hash.of(password).toString());
    }

    /** Returns whether {@code password} is that of {@code hash}; as {@link #hash}. */
    boolean matches(String password, String hash) {
        return run(() -> Argon2Hash.parse(hash).matches(password));
    }

    /** Takes as long as {@link #matches}. */
    void matchesNobody(String password) {
        run(() -> nobodys.matches(password));
    }

    private <T> T run(Supplier<T> work) {
        Promise<T> promise = Promise.promise();
        try {
            threads.execute(() -> {
                try {
                    promise.complete(work.get());
                } catch (RuntimeException | Error e) {
                    promise.fail(e);
                }
            });
        } catch (RejectedExecutionException e) {
            throw new FailureException(
                    new Failure.Unavailable("Too many passwords are being checked; try again in a moment."), e);
        }
        Future<T> future = promise.future();
        return future.await();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
