package io.sigma.controlplane.callback;

import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Begins what ends in a future. Whoever marks something as under way, or does it again when it has ended, begins it so:
 * what is thrown before there is a future would leave the mark for ever, and be the last time.
 */
public final class Attempt {

    private Attempt() {}

    /** Returns what {@code work} returns; a failed future when it throws, an {@link Error} too. */
    public static <T> Future<T> of(Supplier<Future<T>> work) {
        try {
            return work.get();
        } catch (RuntimeException | Error e) {
            return Future.failedFuture(e);
        }
    }
}
