package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Exception;

/** A stream of a {@link FrameLink}, with either side. Confined to the event loop of the connection. */
public interface FrameStream {

    /** Writes what waited for the end of the loop iteration. */
    void send();

    /** Returns whether something waits for {@link #onWritable}. */
    boolean waits();

    /** The peer takes more. */
    void onWritable();

    /**
     * Takes a frame of a body; returns how much of it the peer may send again at once, in octets.
     *
     * @throws Http2Exception when it makes the message malformed, which ends the stream
     */
    int onData(ByteBuf data, boolean end) throws Http2Exception;

    /** So much of its data has left the codec in a frame, in bytes. */
    void onFrame(int bytes);

    /** The stream is closed, by whomever. */
    void onStreamClosed();

    /** Returns how much memory is held for it, in bytes. */
    long held();
}
