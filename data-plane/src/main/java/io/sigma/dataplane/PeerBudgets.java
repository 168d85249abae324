package io.sigma.dataplane;

import io.netty.util.internal.PlatformDependent;
import io.sigma.dataplane.filter.content.CodingMemory;
import io.sigma.dataplane.filter.header.SpanMemory;
import io.sigma.dataplane.loop.MemoryBudget;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import java.util.concurrent.atomic.LongAdder;

/**
 * The budgets of sockets and memory for clients and nodes, over the whole process.
 *
 * @param sockets connections of clients and to nodes
 * @param memory the budget of memory that connections hold for their peers
 * @param refusedByServers counts connections that a proxy server closed at once because their client address had
 *     reached its share there
 */
record PeerBudgets(SocketBudget sockets, MemoryBudget memory, LongAdder refusedByServers) {

    /** Returns what {@code settings} allow, and has {@code metrics} say how much of it is used. */
    static PeerBudgets of(GatewaySettings settings, SocketBudget sockets, GatewayMetrics metrics) {
        MemoryBudget memory = new MemoryBudget(
                settings.memory().heldBytesMax() == 0
                        ? MemoryBudget.bytesOfProcess(PlatformDependent.maxDirectMemory())
                        : settings.memory().heldBytesMax(),
                metrics.counter(
                        "sigma.held.refused", "Requests that were refused because clients used too much memory."),
                metrics.counter("sigma.held.ended", "Connections that were closed because they used too much memory."));
        metrics.gauge("sigma.held.bytes", "Memory that clients and nodes use, in bytes.", memory::held);
        metrics.gauge("sigma.held.bytes.max", "Memory that clients and nodes may use, in bytes.", memory::bytesMax);
        metrics.gauge(
                "sigma.coding.bytes",
                "Memory that compressors of responses use, in bytes.",
                CodingMemory.ofProcess()::bytes);
        metrics.gauge(
                "sigma.spans.bytes",
                "Memory of spans that wait for collectors, in bytes.",
                SpanMemory.ofProcess()::bytes);
        metrics.gauge(
                "sigma.spans.dropped",
                "Spans that were dropped because too many waited for collectors.",
                SpanMemory.ofProcess()::dropped);
        LongAdder refusedByServers = new LongAdder();
        sockets.eachClientMax(
                settings.listeners().connectionsPerAddressMax() == 0
                        ? Integer.MAX_VALUE
                        : settings.listeners().connectionsPerAddressMax());
        metrics.gauge(
                "sigma.connections.refused.by.address",
                "Connections that were closed at once because their client address had reached its share.",
                () -> sockets.refusedByAddress() + refusedByServers.sum());
        metrics.gauge(
                "sigma.connections.refused.no.descriptor",
                "Connections that were reset because the process had no file descriptor left.",
                sockets.refusedWithoutDescriptor()::total);
        return new PeerBudgets(sockets, memory, refusedByServers);
    }
}
