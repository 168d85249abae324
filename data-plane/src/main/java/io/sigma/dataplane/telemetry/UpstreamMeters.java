package io.sigma.dataplane.telemetry;

import io.sigma.dataplane.exchange.ErrorKind;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls to one upstream by outcome. Thread-safe. */
@SuppressWarnings("EnumOrdinal") // An array slot within one process; nothing is kept.
public final class UpstreamMeters {

    private static final int ANSWERED = ErrorKind.values().length;

    private final Function<String, LongAdder> register;
    private final LongAdder retries;
    private final AtomicReferenceArray<LongAdder> byOutcome = new AtomicReferenceArray<>(ANSWERED + 1);

    /**
     * @param register returns the counter of an outcome; asked when the first call with it is counted
     * @param retries counts calls that were made because one before failed
     */
    UpstreamMeters(Function<String, LongAdder> register, LongAdder retries) {
        this.register = register;
        this.retries = retries;
    }

    /** Counts a request that is sent again. */
    public void retried() {
        retries.increment();
    }

    /**
     * Counts a call to a node.
     *
     * @param error null when the node answered
     */
    public void count(@Nullable ErrorKind error) {
        int slot = error == null ? ANSWERED : error.ordinal();
        LongAdder counter = byOutcome.get(slot);
        if (counter == null) {
            counter = register.apply(error == null ? "answered" : error.label());
            byOutcome.set(slot, counter);
        }
        counter.increment();
    }
}
