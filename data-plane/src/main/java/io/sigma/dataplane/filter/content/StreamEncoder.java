package io.sigma.dataplane.filter.content;

import io.sigma.dataplane.exchange.BodyEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Encodes with a stream of a compressor, which has memory of its own that {@link #close()} gives back. */
final class StreamEncoder implements BodyEncoder {

    /** Opens a compressor that writes to {@code out}. */
    @FunctionalInterface
    interface Compressor {
        OutputStream open(OutputStream out) throws IOException;
    }

    private final ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    private final OutputStream compressor;
    private final boolean flushes;
    private final Runnable onClosed;
    private boolean closed;

    /**
     * @param flushes whether each piece is to arrive at once
     * @param onClosed called once when the compressor holds nothing any more
     */
    StreamEncoder(Compressor compressor, boolean flushes, Runnable onClosed) {
        try {
            this.compressor = compressor.open(encoded);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.flushes = flushes;
        this.onClosed = onClosed;
    }

    @Override
    public byte[] encode(byte[] data) {
        try {
            compressor.write(data);
            if (flushes) {
                compressor.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return take();
    }

    @Override
    public byte[] finish() {
        close();
        return take();
    }

    /** Gives back what the compressor holds. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            compressor.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            onClosed.run();
        }
    }

    private byte[] take() {
        byte[] piece = encoded.toByteArray();
        encoded.reset();
        return piece;
    }
}
