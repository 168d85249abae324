package io.sigma.inprocess.testkit;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Bounded waits. */
public final class Waiting {

    public static final long SECONDS_MAX = 20;

    private Waiting() {}

    public static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(SECONDS_MAX, TimeUnit.SECONDS);
    }

    /** As {@link #await}, for a close, which may only fail as one does. */
    public static void awaitClosed(Future<?> future) throws IOException {
        try {
            await(future);
        } catch (Exception e) {
            throw new IOException("not closed", e);
        }
    }

    public static Throwable failure(Future<?> future) throws Exception {
        return await(future.transform(done -> Future.succeededFuture(
                done.failed() ? done.cause() : new AssertionError("succeeded: " + done.result()))));
    }

    public static void until(String what, BooleanSupplier fact) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (!fact.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(what + " (expected: within " + SECONDS_MAX + " s)");
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
