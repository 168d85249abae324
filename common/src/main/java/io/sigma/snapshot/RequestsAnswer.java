package io.sigma.snapshot;

import io.sigma.model.LastRequest;
import java.util.List;

/**
 * A gateway's answer to a {@link RequestsQuestion}.
 *
 * @param id the id of the answered question
 * @param items the newest that were asked for, newest first; one may come twice
 * @param matched how many there were since the gateway began to count for this filter, also those that it did not keep
 * @param next where the next question goes on; {@value #NEXT_MAX} characters at most
 * @param busy whether the gateway keeps no more of them because others have all its places for filters
 */
public record RequestsAnswer(
        String gatewayId, String id, List<LastRequest> items, long matched, String next, boolean busy) {

    public static final int NEXT_MAX = 4096;

    public RequestsAnswer {
        items = List.copyOf(items);
    }
}
