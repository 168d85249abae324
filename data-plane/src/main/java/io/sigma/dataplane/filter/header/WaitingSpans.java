package io.sigma.dataplane.filter.header;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The spans of one plugin that wait for its collector, in a bounded queue. Each counts in {@link SpanMemory} until its
 * collector answered. Those for which there is no room are dropped. Thread-safe.
 */
final class WaitingSpans implements SpanProcessor {

    private static final int SPANS_MAX = 4096;
    private static final int BATCH_MAX = 512;
    private static final Duration EXPORT_EVERY = Duration.ofSeconds(1);
    private static final long CLOSED = -1;

    /** The objects of a span with its ids and attributes, beside their texts. */
    private static final int SPAN_BYTES = 1024;
    /** A character takes one byte, or two in texts that have others than Latin ones. */
    private static final int CHAR_BYTES = 2;

    private final SpanMemory memory;
    private final SpanProcessor queue;
    private final AtomicInteger waiting = new AtomicInteger();
    /** The memory of those that wait, in bytes; -1 once nothing waits any more. */
    private final AtomicLong taken = new AtomicLong();

    /**
     * @param timeout of sending a batch
     */
    WaitingSpans(SpanExporter exporter, Duration timeout, SpanMemory memory) {
        this.memory = memory;
        this.queue = BatchSpanProcessor.builder(new Exporter(exporter))
                .setMaxQueueSize(SPANS_MAX)
                .setMaxExportBatchSize(BATCH_MAX)
                .setScheduleDelay(EXPORT_EVERY)
                .setExporterTimeout(timeout)
                .build();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        // Counts from its end on: until then it is a part of its request.
    }

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (!span.getSpanContext().isSampled()) {
            return;
        }
        SpanData data = span.toSpanData();
        // Its queue would drop it without a word, and it would count for ever.
        if (waiting.incrementAndGet() > SPANS_MAX || !tryTake(bytes(data))) {
            waiting.decrementAndGet();
            memory.drop();
            return;
        }
        queue.onEnd(span);
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    private boolean tryTake(long bytes) {
        if (!memory.tryTake(bytes)) {
            return false;
        }
        long before = taken.getAndUpdate(now -> now == CLOSED ? CLOSED : now + bytes);
        if (before == CLOSED) {
            memory.give(bytes);
        }
        return before != CLOSED;
    }

    /** Gives back the room of spans that do not wait any more. */
    private void give(Collection<SpanData> spans) {
        long bytes = spans.stream().mapToLong(WaitingSpans::bytes).sum();
        waiting.addAndGet(-spans.size());
        if (taken.getAndUpdate(now -> now == CLOSED ? CLOSED : now - bytes) != CLOSED) {
            memory.give(bytes);
        }
    }

    private static long bytes(SpanData span) {
        Attributes attributes = span.getAttributes();
        long[] chars = {span.getName().length()};
        attributes.forEach((key, value) -> chars[0] += value instanceof String text ? text.length() : 0);
        SpanContext context = span.getSpanContext();
        context.getTraceState().forEach((key, value) -> chars[0] += key.length() + value.length());
        return SPAN_BYTES + CHAR_BYTES * chars[0];
    }

    @Override
    public CompletableResultCode forceFlush() {
        return queue.forceFlush();
    }

    @Override
    public CompletableResultCode shutdown() {
        CompletableResultCode over = queue.shutdown();
        over.whenComplete(() -> memory.give(Math.max(0, taken.getAndSet(CLOSED))));
        return over;
    }

    /** Sends batches, and gives the room of each back once it is sent or lost. */
    private final class Exporter implements SpanExporter {

        private final SpanExporter exporter;

        Exporter(SpanExporter exporter) {
            this.exporter = exporter;
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            // The collection is used again for the next batch.
            Collection<SpanData> batch = List.copyOf(spans);
            CompletableResultCode sent;
            try {
                sent = exporter.export(batch);
            } catch (RuntimeException | Error e) {
                give(batch);
                throw e;
            }
            sent.whenComplete(() -> give(batch));
            return sent;
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
}
