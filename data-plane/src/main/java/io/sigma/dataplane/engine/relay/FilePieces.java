package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.sigma.dataplane.disk.ServedFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Sends part of a file piece by piece, the next when the one before was taken. Reads on the event loop, from the page
 * cache mostly. Confined to the event loop.
 */
public abstract class FilePieces {

    private static final int PIECE_BYTES = 64 * 1024;

    private final ClientStream client;
    private final ByteBufAllocator buffers;
    private final ServedFile served;
    private long position;
    private long left;
    private @Nullable FileChannel file;

    protected FilePieces(ClientStream client, ByteBufAllocator buffers, ServedFile served, long offset, long length) {
        this.client = client;
        this.buffers = buffers;
        this.served = served;
        this.position = offset;
        this.left = length;
    }

    /** Writes a piece, which is this method's to release; {@link #written} follows. */
    protected abstract void write(ByteBuf piece);

    /** Begins to send; the client's answer ends with the file, or is broken off when it cannot be read. */
    public final void start() {
        try {
            file = served.open();
            next(file);
        } catch (IOException e) {
            fail();
        }
    }

    private void next(FileChannel open) {
        ByteBuf piece = buffers.directBuffer((int) Math.min(left, PIECE_BYTES));
        int read;
        try {
            read = piece.writeBytes(open, position, piece.capacity());
        } catch (IOException e) {
            read = -1;
        }
        if (read <= 0 || client.isEnded()) {
            piece.release();
            fail();
            return;
        }
        position += read;
        left -= read;
        write(piece);
    }

    /** A piece was taken, or the client is gone. */
    protected final void written(boolean success) {
        FileChannel open = file;
        if (!success) {
            close();
            client.gone();
        } else if (left > 0 && open != null) {
            next(open);
        } else {
            close();
            client.finish(null);
        }
    }

    private void fail() {
        close();
        if (!client.isEnded()) {
            client.abort();
        }
    }

    private void close() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                // It was read only; nothing is lost.
            }
        }
    }
}
