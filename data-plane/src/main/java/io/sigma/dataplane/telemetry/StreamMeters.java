package io.sigma.dataplane.telemetry;

import io.sigma.dataplane.exchange.StreamEnd;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/** Connections of one router of TCP or TLS, or of those that met none, by how they ended. */
@SuppressWarnings("EnumOrdinal") // An array slot within one process; nothing is kept.
public final class StreamMeters {

    private final Function<String, LoopCounter> register;
    private final AtomicReferenceArray<LoopCounter> byEnd = new AtomicReferenceArray<>(StreamEnd.values().length);
    private final LoopCounter bytesIn;
    private final LoopCounter bytesOut;

    /**
     * @param register returns the counter of an end; asked when the first connection with it is counted
     * @param bytesIn counts bytes of clients
     * @param bytesOut counts bytes of nodes
     */
    StreamMeters(Function<String, LoopCounter> register, LoopCounter bytesIn, LoopCounter bytesOut) {
        this.register = register;
        this.bytesIn = bytesIn;
        this.bytesOut = bytesOut;
    }

    /** Counts a connection that is over; to be called on the event loop {@code loop}. */
    public void ended(int loop, StreamEnd end, long in, long out) {
        int slot = end.ordinal();
        LoopCounter counter = byEnd.get(slot);
        if (counter == null) {
            counter = register.apply(end.label());
            byEnd.set(slot, counter);
        }
        counter.add(loop, 1);
        bytesIn.add(loop, in);
        bytesOut.add(loop, out);
    }
}
