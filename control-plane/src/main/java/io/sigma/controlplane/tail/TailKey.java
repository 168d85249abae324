package io.sigma.controlplane.tail;

import io.sigma.snapshot.RequestFilter;
import io.sigma.snapshot.RequestFilter.Status;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a client watches.
 *
 * @param gatewayId of one gateway; null for all
 */
public record TailKey(RequestFilter filter, @Nullable String gatewayId) {

    private static final Map<String, Status> CLASSES = Map.of(
            "1xx", Status.INFORMATIONAL,
            "2xx", Status.SUCCESSFUL,
            "3xx", Status.REDIRECTION,
            "4xx", Status.CLIENT_ERROR,
            "5xx", Status.SERVER_ERROR,
            "failed", Status.FAILED);

    /** Returns what the parameters of {@code listRequests} and {@code streamRequests} say. */
    public static TailKey of(Map<String, String> parameters) {
        String status = parameters.get("status");
        return new TailKey(
                new RequestFilter(
                        parameters.get("route"),
                        parameters.get("proxyServer"),
                        status == null ? null : CLASSES.get(status),
                        parameters.get("text")),
                parameters.get("gateway"));
    }
}
