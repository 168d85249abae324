package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.filter.HeaderEditor;
import io.sigma.dataplane.telemetry.UpstreamMeters;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.model.ProxyPass;
import io.sigma.value.LocationTemplate;

/** What is done with a match, compiled. Immutable. */
public sealed interface RuntimePass {

    /** Returns the resource that this was compiled from. */
    ProxyPass source();

    /** Returns what is done to the fields of a response. */
    HeaderEditor response();

    /** Sends the client elsewhere. */
    record Redirecting(ProxyPass source, HeaderEditor response, int status, LocationTemplate location)
            implements RuntimePass {}

    /**
     * Sends the request to an upstream.
     *
     * @param totalMillis from the head of the request to the end of the response; {@link Long#MAX_VALUE} for no bound
     */
    record Forwarding(
            ProxyPass source,
            HeaderEditor request,
            HeaderEditor response,
            UpstreamCluster cluster,
            UpstreamMeters meters,
            RetryRule retry,
            boolean preserveHost,
            int connectMillis,
            int responseMillis,
            int idleMillis,
            long totalMillis)
            implements RuntimePass {}
}
