package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.engine.relay.FilePieces;

/**
 * Sends part of a file where the transport or encryption keeps the kernel from doing it. Confined to the event loop.
 */
final class FileCopy extends FilePieces {

    private final ClientLink link;

    FileCopy(ClientLink link, ClientRequest request, ServedFile served, long offset, long length) {
        super(request, link.context().alloc(), served, offset, length);
        this.link = link;
    }

    @Override
    protected void write(ByteBuf piece) {
        link.output().pass();
        link.context().writeAndFlush(piece).addListener(done -> written(done.isSuccess()));
    }
}
