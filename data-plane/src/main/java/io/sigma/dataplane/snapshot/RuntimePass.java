package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.exchange.BodyBuffering;
import io.sigma.dataplane.filter.HeaderEditor;
import io.sigma.dataplane.filter.content.FileServer;
import io.sigma.model.ProxyPass;
import io.sigma.value.LocationTemplate;
import org.jspecify.annotations.Nullable;

/** The compiled proxy pass of a match. Immutable. */
public sealed interface RuntimePass {

    /** Returns the resource that this was compiled from. */
    ProxyPass source();

    /** Returns what is done to the fields of a response. */
    HeaderEditor response();

    /** Answers by itself. */
    record Answering(ProxyPass source, HeaderEditor response, int status, String contentType, String body)
            implements RuntimePass {}

    /** Answers with files. */
    record Serving(ProxyPass source, HeaderEditor response, FileServer files, PathEdit path) implements RuntimePass {}

    /** Sends the client elsewhere. */
    record Redirecting(ProxyPass source, HeaderEditor response, int status, LocationTemplate location)
            implements RuntimePass {}

    /**
     * Sends the request to an upstream.
     *
     * @param mirror where copies of requests go; null for nowhere
     * @param host what the node receives as Host; null for that of the client or of the node
     * @param bodyBytesMax largest body of a request; {@link Long#MAX_VALUE} for no bound but that of the proxy server
     * @param totalMillis from the head of the request to the end of the response; {@link Long#MAX_VALUE} for no bound
     */
    record ToUpstream(
            ProxyPass source,
            HeaderEditor request,
            HeaderEditor response,
            TrafficSplit split,
            @Nullable MirrorRule mirror,
            PathEdit path,
            @Nullable String host,
            long bodyBytesMax,
            RetryRule retry,
            BodyBuffering buffering,
            boolean preserveHost,
            int connectMillis,
            int responseMillis,
            int idleMillis,
            long totalMillis)
            implements RuntimePass {}
}
