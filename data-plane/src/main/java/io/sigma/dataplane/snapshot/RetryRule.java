package io.sigma.dataplane.snapshot;

import io.sigma.model.Retry;
import io.sigma.model.RetryCondition;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * When a request is sent again, compiled. Immutable.
 *
 * @param attemptsMax tries of one request, the first included
 * @param statuses a bit for each; never changed. A set of numbers would make an object for each response
 * @param perTryMillis longest wait for the head of the response in one try
 */
public record RetryRule(
        int attemptsMax,
        Set<RetryCondition> conditions,
        BitSet statuses,
        Set<String> methods,
        int perTryMillis,
        long backoffMillis,
        long backoffMaxMillis) {

    private static final List<RetryCondition> CONDITIONS =
            List.of(RetryCondition.CONNECT_FAILURE, RetryCondition.RESET);
    private static final List<Integer> STATUSES = List.of(502, 503, 504);
    private static final List<String> METHODS = List.of("GET", "HEAD", "OPTIONS");

    static RetryRule of(Retry retry) {
        return new RetryRule(
                retry.attemptsMax(),
                Set.copyOf(EnumSet.copyOf(or(retry.conditions(), CONDITIONS))),
                bits(or(retry.statuses(), STATUSES)),
                Set.copyOf(or(retry.methods(), METHODS)),
                retry.perTryMillis() == null ? Integer.MAX_VALUE : retry.perTryMillis(),
                retry.backoffMillis(),
                retry.backoffMaxMillis());
    }

    private static <T> List<T> or(List<T> configured, List<T> fallback) {
        return configured.isEmpty() ? fallback : configured;
    }

    private static BitSet bits(List<Integer> statuses) {
        BitSet bits = new BitSet();
        statuses.forEach(bits::set);
        return bits;
    }

    /** Returns whether a response with that status may be followed by another try. */
    public boolean repeatsAfter(int status) {
        return statuses.get(status);
    }

    /** Returns whether a request with that method may be sent again after some of it was sent. */
    public boolean mayRepeat(String method) {
        return attemptsMax > 1 && methods.contains(method);
    }

    /** Returns the upper bound of the pause before try {@code attempt}, of which the first is 1, in milliseconds. */
    public long backoffMillis(int attempt) {
        long doubled = backoffMillis << Math.min(attempt - 2, 20);
        return Math.min(doubled, backoffMaxMillis);
    }
}
