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
    private final Function<String, LongAdder> refusals;
    private final LongAdder retries;
    private final LongAdder retriesRefused;
    private final AtomicReferenceArray<LongAdder> byOutcome = new AtomicReferenceArray<>(ANSWERED + 1);
    private final AtomicReferenceArray<LongAdder> refused = new AtomicReferenceArray<>(ANSWERED);

    /**
     * @param register returns the counter of an outcome; asked when the first call with it is counted
     * @param refusals returns the counter of a reason for which requests are not sent at all
     * @param retries counts calls that were made because one before failed
     * @param retriesRefused counts those that were not made because the budget was spent
     */
    UpstreamMeters(
            Function<String, LongAdder> register,
            Function<String, LongAdder> refusals,
            LongAdder retries,
            LongAdder retriesRefused) {
        this.register = register;
        this.refusals = refusals;
        this.retries = retries;
        this.retriesRefused = retriesRefused;
    }

    /** Counts a request that no node got to see, because of a limit or the circuit of the upstream. */
    public void refused(ErrorKind reason) {
        counter(refused, refusals, reason.ordinal(), reason.label()).increment();
    }

    /** Counts a request that is not sent again, because the budget for that is spent. */
    public void retryRefused() {
        retriesRefused.increment();
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
        counter(byOutcome, register, slot, error == null ? "answered" : error.label())
                .increment();
    }

    private static LongAdder counter(
            AtomicReferenceArray<LongAdder> known, Function<String, LongAdder> register, int slot, String label) {
        LongAdder counter = known.get(slot);
        if (counter == null) {
            counter = register.apply(label);
            known.set(slot, counter);
        }
        return counter;
    }
}
