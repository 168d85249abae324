package io.sigma.standalone.fleet;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Bounded waits. */
final class Waiting {

    static final long SECONDS_MAX = 20;

    private Waiting() {}

    static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(SECONDS_MAX, TimeUnit.SECONDS);
    }

    /** As {@link #await}, for a close, which may only fail as one does. */
    static void awaitClosed(Future<?> future) throws IOException {
        try {
            await(future);
        } catch (Exception e) {
            throw new IOException("not closed", e);
        }
    }

    static Throwable failure(Future<?> future) throws Exception {
        return await(future.transform(done -> Future.succeededFuture(
                done.failed() ? done.cause() : new AssertionError("succeeded: " + done.result()))));
    }

    static void until(String what, BooleanSupplier fact) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (!fact.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(what + " (expected: within " + SECONDS_MAX + " s)");
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
