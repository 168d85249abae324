package io.sigma.dataplane.link;

import io.sigma.dataplane.loop.Scheduling;
import io.sigma.identity.ClusterEndpoint;
import io.sigma.json.Json;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.TrafficEntry;
import io.sigma.snapshot.TrafficReport;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the traffic of the gateway to the control plane every five seconds, also when there was none. Reports are
 * sent in order, one at a time, and each again until it is answered; when too many wait the oldest are given up.
 * Confined to one event loop; spans are cut off it.
 */
final class TrafficReporter {

    static final long TICK_MILLIS = 1_000;

    /** Of a gateway with a few routes that is twenty minutes. */
    private static final int WAITING_MAX = 240;

    private static final int BYTES_MAX = ClusterEndpoint.GATEWAY_MESSAGE_BYTES_MAX - 4096;
    private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(TrafficReport.SPAN_SECONDS);
    private static final Logger LOG = LoggerFactory.getLogger(TrafficReporter.class);

    /** A report that is not answered yet; {@code endedNanos} is when its span ended. */
    private record Waiting(long sequence, long endedNanos, List<TrafficEntry> entries) {}

    /** The traffic until {@code endedNanos}. */
    private record Cut(long endedNanos, List<SpanPieces.Piece> pieces) {}

    private final Vertx vertx;
    private final Context context;
    private final ControlLink link;
    private final GatewayIdentity identity;
    private final Supplier<List<TrafficEntry>> spans;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long cutNanos = System.nanoTime();
    /** When the span began that is counted now. */
    private long begunNanos = cutNanos;

    private long sequence;
    private boolean cutting;
    private boolean sending;

    /**
     * @param spans returns what came since it was asked before; it may block
     */
    TrafficReporter(
            Vertx vertx,
            Context context,
            ControlLink link,
            GatewayIdentity identity,
            Supplier<List<TrafficEntry>> spans) {
        this.vertx = vertx;
        this.context = context;
        this.link = link;
        this.identity = identity;
        this.spans = spans;
    }

    void tick() {
        long now = System.nanoTime();
        if (!cutting && now - cutNanos >= SPAN_NANOS) {
            cutting = true;
            // From when the span was to end, so that ticks that come a moment late do not add up. After a pause there
            // is nothing to catch up.
            cutNanos = now - cutNanos < 2 * SPAN_NANOS ? cutNanos + SPAN_NANOS : now;
            // Composed, so that what is thrown on the way is a failure as well: `cutting` must not stay set, nor
            // `sending` below.
            long begunNanos = this.begunNanos;
            Future.succeededFuture()
                    .compose(begun -> vertx.executeBlocking(Scheduling.background(() -> cut(begunNanos)), false))
                    .onComplete(cut -> context.runOnContext(nothing -> {
                        cutting = false;
                        if (cut.succeeded()) {
                            Cut span = cut.result();
                            this.begunNanos = span.endedNanos();
                            span.pieces()
                                    .forEach(piece -> add(new Waiting(
                                            ++sequence, span.endedNanos() - piece.beforeEndNanos(), piece.entries())));
                        } else {
                            LOG.error("The traffic of the gateway could not be counted", cut.cause());
                        }
                        send();
                    }));
        }
        send();
    }

    /** Off the event loop, which may have to wait for a thread: the span ends when it is cut, and not before. */
    private Cut cut(long begunNanos) {
        long endedNanos = System.nanoTime();
        List<SpanPieces.Piece> pieces = new ArrayList<>();
        for (SpanPieces.Piece piece : SpanPieces.of(spans.get(), endedNanos - begunNanos)) {
            parts(piece.entries()).forEach(part -> pieces.add(new SpanPieces.Piece(piece.beforeEndNanos(), part)));
        }
        return new Cut(endedNanos, pieces);
    }

    /** Returns entries in as many parts as messages can hold. */
    private static List<List<TrafficEntry>> parts(List<TrafficEntry> entries) {
        List<List<TrafficEntry>> parts = new ArrayList<>();
        List<TrafficEntry> part = new ArrayList<>();
        int bytes = 0;
        for (TrafficEntry entry : entries) {
            int length = Json.text(entry).length() + 1;
            if (!part.isEmpty() && (bytes + length > BYTES_MAX || part.size() == TrafficReport.ENTRIES_MAX)) {
                parts.add(part);
                part = new ArrayList<>();
                bytes = 0;
            }
            part.add(entry);
            bytes += length;
        }
        // Also when nothing came: who reads the figures has to know that this gateway ran.
        if (!part.isEmpty() || parts.isEmpty()) {
            parts.add(part);
        }
        return parts;
    }

    private void add(Waiting report) {
        if (waiting.size() >= WAITING_MAX) {
            waiting.removeFirst();
        }
        waiting.addLast(report);
    }

    private void send() {
        Waiting next = waiting.peekFirst();
        if (sending || next == null) {
            return;
        }
        sending = true;
        long age = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - next.endedNanos());
        TrafficReport report =
                new TrafficReport(identity.id(), identity.startedAt(), next.sequence(), age, next.entries());
        Future.succeededFuture()
                .compose(begun -> link.request(SnapshotProtocol.TRAFFIC, report))
                .onComplete(done -> context.runOnContext(nothing -> {
                    sending = false;
                    if (done.succeeded()) {
                        answered(next);
                        send();
                    } else {
                        LOG.debug(
                                "No control plane received the traffic report: {}",
                                done.cause().toString());
                    }
                }));
    }

    @SuppressWarnings("ReferenceEquality") // It may have been given up meanwhile.
    private void answered(Waiting report) {
        @Nullable Waiting first = waiting.peekFirst();
        if (first == report) {
            waiting.removeFirst();
        }
    }
}
