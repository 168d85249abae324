package io.sigma.dataplane.telemetry;

import io.sigma.dataplane.exchange.ErrorKind;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls to one upstream by outcome. All methods are to be called on the event loop whose index they are given. */
@SuppressWarnings("EnumOrdinal") // An array slot within one process; nothing is kept.
public final class UpstreamMeters {

    private static final int ANSWERED = ErrorKind.values().length;

    private final Function<String, LoopCounter> register;
    private final Function<String, LoopCounter> refusals;
    private final LoopCounter retries;
    private final LoopCounter retriesRefused;
    private final TrafficMeter traffic;
    private final AtomicReferenceArray<LoopCounter> byOutcome = new AtomicReferenceArray<>(ANSWERED + 1);
    private final AtomicReferenceArray<LoopCounter> refused = new AtomicReferenceArray<>(ANSWERED);

    /**
     * @param register returns the counter of an outcome; asked when the first call with it is counted
     * @param refusals returns the counter of a reason for which requests are not sent at all
     * @param retries counts calls that were made because one before failed
     * @param retriesRefused counts those that were not made because the budget was spent
     * @param loops how many event loops there are
     */
    UpstreamMeters(
            Function<String, LoopCounter> register,
            Function<String, LoopCounter> refusals,
            LoopCounter retries,
            LoopCounter retriesRefused,
            int loops) {
        this.register = register;
        this.refusals = refusals;
        this.retries = retries;
        this.retriesRefused = retriesRefused;
        this.traffic = new TrafficMeter(loops);
    }

    /** Counts a request that no node got to see, because of a limit or the circuit of the upstream. */
    public void refused(int loop, ErrorKind reason) {
        counter(refused, refusals, reason.ordinal(), reason.label()).add(loop, 1);
    }

    /** Counts a request that is not sent again, because the budget for that is spent. */
    public void retryRefused(int loop) {
        retriesRefused.add(loop, 1);
    }

    /**
     * Counts what became of a call to a node.
     *
     * @param status 0 when it did not answer
     * @param nanos to the head of the answer, or to the failure
     */
    public void ended(int loop, int status, long nanos) {
        traffic.on(loop).add(status, nanos);
    }

    /** Counts the bytes of a request's body and of its answer's. */
    public void bytes(int loop, long in, long out) {
        if (in != 0 || out != 0) {
            traffic.on(loop).bytes(in, out);
        }
    }

    /** Returns whether anything was counted. */
    boolean isUsed() {
        for (int i = 0; i < byOutcome.length(); i++) {
            if (byOutcome.get(i) != null) {
                return true;
            }
        }
        for (int i = 0; i < refused.length(); i++) {
            if (refused.get(i) != null) {
                return true;
            }
        }
        return traffic.isUsed() || retries.sum() > 0 || retriesRefused.sum() > 0;
    }

    TrafficMeter traffic() {
        return traffic;
    }

    /** Counts a request that is sent again. */
    public void retried(int loop) {
        retries.add(loop, 1);
    }

    /**
     * Counts a call to a node.
     *
     * @param error null when the node answered
     */
    public void count(int loop, @Nullable ErrorKind error) {
        int slot = error == null ? ANSWERED : error.ordinal();
        counter(byOutcome, register, slot, error == null ? "answered" : error.label())
                .add(loop, 1);
    }

    private static LoopCounter counter(
            AtomicReferenceArray<LoopCounter> known, Function<String, LoopCounter> register, int slot, String label) {
        LoopCounter counter = known.get(slot);
        if (counter == null) {
            counter = register.apply(label);
            known.set(slot, counter);
        }
        return counter;
    }
}
