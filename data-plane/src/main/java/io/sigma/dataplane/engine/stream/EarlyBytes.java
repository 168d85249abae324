package io.sigma.dataplane.engine.stream;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.body.HeldBytes;
import io.sigma.dataplane.engine.tls.ClientHello;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a client that wait: until the first message of TLS is complete, and until a node is connected. Meanwhile
 * the socket is not read. Confined to the event loop.
 */
final class EarlyBytes {

    /** The largest size of a first message with the headers of its records, also of very short records, in bytes. */
    private static final int HELLO_BYTES_MAX = 6 * ClientHello.BYTES_MAX;

    private @Nullable HeldBytes held;
    private ClientHello.@Nullable Reader reader;
    private @Nullable ClientHello hello;
    private int looked;

    /** Holds {@code data}, which it releases in the end. */
    void add(ByteBuf data) {
        HeldBytes all = HeldBytes.orNew(held);
        held = all;
        all.add(data);
    }

    /**
     * Looks for the first message of TLS in {@code data}, which is left as it is. To be called with each piece once, in
     * their order, as long as the message is not complete.
     *
     * @return whether it is complete
     * @throws ClientHello.Invalid when it will not be
     */
    boolean endsHello(ByteBuf data) throws ClientHello.Invalid {
        ClientHello.Reader reading = reader == null ? new ClientHello.Reader() : reader;
        reader = reading;
        hello = reading.read(data);
        looked += data.readableBytes();
        if (hello == null && looked > HELLO_BYTES_MAX) {
            throw new ClientHello.Invalid("it comes in too many records");
        }
        if (hello != null) {
            reader = null;
        }
        return hello != null;
    }

    /** Returns the first message of TLS; null as long as none was found. */
    @Nullable
    ClientHello hello() {
        return hello;
    }

    /** Returns how much memory is held, in bytes. */
    long cost() {
        return (held == null ? 0 : held.cost()) + (reader == null ? 0 : reader.memory());
    }

    /** Returns the next piece that is held, for the caller to release; null for none. */
    @Nullable
    ByteBuf poll() {
        return held == null ? null : held.poll();
    }

    /** Lets go of what is held. */
    void release() {
        if (held != null) {
            held.clear();
        }
    }
}
