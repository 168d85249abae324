package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Sends part of a file piece by piece, where the transport or encryption keeps the kernel from doing it. Reads on the event
 * loop, from the page cache mostly. Confined to the event loop.
 */
final class FileCopy {

    private static final int PIECE_BYTES = 64 * 1024;

    private final ClientLink link;
    private final ClientRequest request;
    private final Path path;
    private long position;
    private long left;
    private @Nullable FileChannel file;

    FileCopy(ClientLink link, ClientRequest request, Path path, long offset, long length) {
        this.link = link;
        this.request = request;
        this.path = path;
        this.position = offset;
        this.left = length;
    }

    void start() {
        try {
            file = FileChannel.open(path, StandardOpenOption.READ);
            next(file);
        } catch (IOException e) {
            fail();
        }
    }

    private void next(FileChannel open) {
        ByteBuf piece = link.context().alloc().directBuffer((int) Math.min(left, PIECE_BYTES));
        int read = 0;
        try {
            read = piece.writeBytes(open, position, piece.capacity());
        } catch (IOException e) {
            read = -1;
        }
        if (read <= 0 || request.isEnded()) {
            piece.release();
            fail();
            return;
        }
        position += read;
        left -= read;
        link.output().pass();
        link.context().writeAndFlush(piece).addListener(written -> {
            if (!written.isSuccess()) {
                close();
                request.gone();
            } else if (left > 0) {
                next(open);
            } else {
                close();
                request.finish(null);
            }
        });
    }

    private void fail() {
        close();
        if (!request.isEnded()) {
            request.abort();
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
