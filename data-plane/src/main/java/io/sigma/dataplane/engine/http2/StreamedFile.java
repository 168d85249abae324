package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Stream;
import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.engine.relay.FilePieces;

/** Sends part of a file on a stream. Confined to the event loop. */
final class StreamedFile extends FilePieces {

    private final Http2Link link;
    private final Http2Stream stream;

    StreamedFile(
            Http2Link link, Http2Stream stream, Http2Response response, ServedFile served, long offset, long length) {
        super(response, link.context().alloc(), served, offset, length);
        this.link = link;
        this.stream = stream;
    }

    @Override
    protected void write(ByteBuf piece) {
        link.writeData(stream, piece, false, link.context().newPromise().addListener(done -> {
            if (done.isSuccess()) {
                link.afterwards(() -> written(true));
            } else {
                written(false);
            }
        }));
    }
}
