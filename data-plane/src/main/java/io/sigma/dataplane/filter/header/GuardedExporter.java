package io.sigma.dataplane.filter.header;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.sigma.dataplane.filter.GuardedHost;
import java.io.IOException;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends spans only while the host of the collector is where it may be. Called by the one thread that sends. */
final class GuardedExporter implements SpanExporter {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedExporter.class);

    private final SpanExporter exporter;
    private final GuardedHost host;
    private boolean failing;

    GuardedExporter(SpanExporter exporter, GuardedHost host) {
        this.exporter = exporter;
        this.host = host;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        try {
            host.admit();
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                LOG.warn("Spans are not sent to {}: {}", host.url(), String.valueOf(e.getMessage()));
            }
            failing = true;
            return CompletableResultCode.ofFailure();
        }
        return exporter.export(spans);
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
