package io.sigma.dataplane.filter.header;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.sigma.dataplane.testkit.GatewayHarness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WaitingSpansTest {

    private static final int BYTES_MAX = 64 * 1024;
    /** As long as texts of clients may be in spans. */
    private static final String TEXT = "p".repeat(512);

    private final SpanMemory memory = new SpanMemory(BYTES_MAX);
    private final Collector collector = new Collector();

    /** Answers when it is told to. */
    private static final class Collector implements SpanExporter {

        private final ConcurrentLinkedQueue<CompletableResultCode> open = new ConcurrentLinkedQueue<>();
        private volatile boolean answers;

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            CompletableResultCode answer = new CompletableResultCode();
            open.add(answer);
            if (answers) {
                answer();
            }
            return answer;
        }

        void answer() {
            answers = true;
            open.forEach(CompletableResultCode::succeed);
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    private SdkTracerProvider plugin() {
        return SdkTracerProvider.builder()
                .addSpanProcessor(new WaitingSpans(collector, Duration.ofSeconds(30), memory))
                .build();
    }

    private static void spans(SdkTracerProvider plugin, int count) {
        Tracer tracer = plugin.get("test");
        for (int i = 0; i < count; i++) {
            tracer.spanBuilder("GET any")
                    .startSpan()
                    .setAttribute("url.path", TEXT)
                    .end();
        }
    }

    @Test
    void spansOfAllPluginsHaveOneBound() {
        List<SdkTracerProvider> plugins = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            SdkTracerProvider plugin = plugin();
            plugins.add(plugin);
            spans(plugin, 100);
        }
        assertThat(memory.bytes()).isBetween(BYTES_MAX / 2L, (long) BYTES_MAX);
        assertThat(memory.dropped()).isGreaterThan(700);
        collector.answer();
        GatewayHarness.eventually(() -> {
            collector.answer();
            return memory.bytes() == 0;
        });
        long dropped = memory.dropped();
        spans(plugins.getFirst(), 1);
        assertThat(memory.dropped()).isEqualTo(dropped);
        plugins.forEach(SdkTracerProvider::close);
    }

    @Test
    void closedPluginsHoldNothing() {
        SdkTracerProvider plugin = plugin();
        spans(plugin, 10);
        collector.answer();
        plugin.shutdown().join(30, TimeUnit.SECONDS);
        GatewayHarness.eventually(() -> memory.bytes() == 0);
        spans(plugin, 10);
        assertThat(memory.bytes()).isZero();
    }

    @Test
    void queueOfOnePluginIsBounded() {
        SpanMemory large = new SpanMemory(Long.MAX_VALUE);
        try (SdkTracerProvider plugin = SdkTracerProvider.builder()
                .addSpanProcessor(new WaitingSpans(collector, Duration.ofSeconds(30), large))
                .build()) {
            spans(plugin, 5_000);
            assertThat(large.dropped()).isEqualTo(5_000 - 4_096);
            collector.answer();
            GatewayHarness.eventually(() -> {
                collector.answer();
                return large.bytes() == 0;
            });
        }
    }
}
