package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Sends part of a file piece by piece, the next when the one before was taken. Reads on the event loop, from the page cache
 * mostly. Confined to the event loop.
 */
final class StreamedFile {

    private static final int PIECE_BYTES = 64 * 1024;

    private final Http2Link link;
    private final Http2Stream stream;
    private final Http2Request request;
    private final Path path;
    private long position;
    private long left;
    private @Nullable FileChannel file;

    StreamedFile(Http2Link link, Http2Stream stream, Http2Request request, Path path, long offset, long length) {
        this.link = link;
        this.stream = stream;
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
        int read;
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
        link.writeData(stream, piece, false, link.context().newPromise().addListener(written -> {
            if (written.isSuccess()) {
                link.afterwards(() -> goOn(open));
            } else {
                close();
                request.gone();
            }
        }));
    }

    private void goOn(FileChannel open) {
        if (left > 0) {
            next(open);
        } else {
            close();
            request.finish(null);
        }
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
