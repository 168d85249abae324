package io.sigma.dataplane.engine.stream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.engine.accept.AcceptedConnection;
import io.sigma.dataplane.engine.accept.ListenerProtocol;
import io.sigma.dataplane.engine.tls.ClientHello;
import io.sigma.dataplane.engine.uring.LateTimer;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Reads the first message of TLS, and gives the connection to a node as it is, or to TLS with all that was read. TLS
 * also gets a message that is not valid, and answers it with an alert. Confined to the event loop.
 */
final class HelloPeek extends ChannelInboundHandlerAdapter {

    private final StreamProtocol protocol;
    private final AcceptedConnection accepted;
    private final ListenerProtocol.Fate fate;
    private final EarlyBytes early = new EarlyBytes();
    private @Nullable LateTimer timer;
    /** True once another handler owns the read bytes. */
    private boolean over;

    HelloPeek(StreamProtocol protocol, AcceptedConnection accepted, ListenerProtocol.Fate fate) {
        this.protocol = protocol;
        this.accepted = accepted;
        this.fate = fate;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        int millis = protocol.binding().limits().headTimeoutMillis();
        timer = LateTimer.start(added.executor(), millis, accepted.channel()::close);
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (!(message instanceof ByteBuf data)) {
            ReferenceCountUtil.release(message);
            return;
        }
        boolean known;
        boolean valid = true;
        try {
            known = early.endsHello(data);
        } catch (ClientHello.Invalid e) {
            known = true;
            valid = false;
        }
        early.add(data);
        if (known) {
            over = true;
            if (valid && isPassed()) {
                fate.pass(protocol.speaker(accepted, early));
            } else {
                decrypt(reading);
            }
            if (!reading.isRemoved()) {
                reading.pipeline().remove(this);
            }
        }
    }

    private boolean isPassed() {
        ClientHello hello = early.hello();
        InetSocketAddress client = accepted.remoteAddress();
        return hello != null
                && protocol.binding()
                        .passesThrough(
                                hello.serverName(), hello.protocols(), client == null ? null : client.getAddress());
    }

    private void decrypt(ChannelHandlerContext reading) {
        fate.decrypt();
        for (ByteBuf piece = early.poll(); piece != null; piece = early.poll()) {
            reading.fireChannelRead(piece);
        }
        reading.fireChannelReadComplete();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
        if (timer != null) {
            timer.cancel();
        }
        if (!over) {
            early.release();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        failed.close();
    }
}
