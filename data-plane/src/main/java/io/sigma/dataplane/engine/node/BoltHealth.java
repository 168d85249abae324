package io.sigma.dataplane.engine.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Promise;
import java.nio.channels.ClosedChannelException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Sends a heartbeat of Bolt version 1 and waits for its answer, as the last handler of a pipeline. Servers of version 2
 * speak version 1 too. Confined to the event loop.
 */
final class BoltHealth extends ChannelInboundHandlerAdapter {

    private static final int ID = 1;
    private static final int ANSWER_BYTES = 20;
    private static final int ID_AT = 5;
    private static final int STATUS_AT = 10;
    /** Protocol, type, command, version, id, codec Hessian, timeout, lengths. */
    private static final byte[] HEARTBEAT = HexFormat.of().parseHex("01010000010000000101000003e80000000000000000");

    private static final byte[] ANSWER = HexFormat.of().parseHex("01000000");

    private final ByteBuf answer = Unpooled.buffer(ANSWER_BYTES, ANSWER_BYTES);
    private final Promise<@Nullable String> promise;

    private BoltHealth(Promise<@Nullable String> promise) {
        this.promise = promise;
    }

    /** Asks over {@code channel}; completes with null when the node has answered, else with what is wrong. */
    static void ask(Channel channel, Promise<@Nullable String> promise) {
        channel.pipeline().addLast(new BoltHealth(promise));
        channel.writeAndFlush(Unpooled.wrappedBuffer(HEARTBEAT)).addListener(sent -> {
            if (!sent.isSuccess()) {
                promise.tryFail(sent.cause());
            }
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (message instanceof ByteBuf data) {
            answer.writeBytes(data, Math.min(data.readableBytes(), answer.writableBytes()));
        }
        ReferenceCountUtil.release(message);
        if (!answer.isWritable()) {
            promise.tryComplete(judge());
        }
    }

    private @Nullable String judge() {
        for (int i = 0; i < ANSWER.length; i++) {
            if (answer.getByte(i) != ANSWER[i]) {
                return "no answer to a heartbeat of Bolt";
            }
        }
        int status = answer.getUnsignedShort(STATUS_AT);
        return answer.getInt(ID_AT) != ID ? "an answer to another heartbeat" : status == 0 ? null : "status " + status;
    }

    @Override
    public void channelInactive(ChannelHandlerContext gone) {
        promise.tryFail(new ClosedChannelException());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        promise.tryFail(cause);
    }
}
