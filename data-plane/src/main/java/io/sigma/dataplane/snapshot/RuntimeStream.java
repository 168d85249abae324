package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.telemetry.StreamMeters;
import io.sigma.model.Router;

/**
 * A router of a proxy server that speaks no HTTP, compiled. Immutable.
 *
 * @param source the resource that this was compiled from
 * @param pass where its connections go
 */
public record RuntimeStream(Router source, RuntimePass.ToUpstream pass, StreamMeters meters) {

    public String id() {
        return String.valueOf(source.id());
    }
}
