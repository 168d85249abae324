package io.sigma.dataplane.engine.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sigma.dataplane.engine.body.RefusingAllocator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OutputTest {

    /** More than is copied to the buffers of the loop, less than what passes as it is. */
    private static final int BYTES = 5_000;

    private static final int PIECES = 30;
    private static final int PIECE_BYTES = 1_000;

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final RefusingAllocator buffers = new RefusingAllocator();

    @AfterEach
    void end() throws InterruptedException {
        channel.finishAndReleaseAll();
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pieceIsReleasedWhenThereIsNoMemoryToGatherIt(boolean chunk) {
        channel.config().setAllocator(buffers);
        ChannelHandlerContext context =
                Objects.requireNonNull(channel.pipeline().firstContext());
        Output output = new Output(context, new Http1Loop(loop), () -> {});
        ByteBuf piece = buffers.directBuffer(BYTES).writeZero(BYTES);
        buffers.refuse();
        assertThatThrownBy(() -> {
                    if (chunk) {
                        output.writeChunk(piece);
                    } else {
                        output.write(piece);
                    }
                })
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(piece.refCnt()).isZero();
        output.close();
    }

    @Test
    void shortPiecesOfALoopIterationLeaveInOneBuffer() throws InterruptedException {
        ChannelHandlerContext context =
                Objects.requireNonNull(channel.pipeline().firstContext());
        // On the loop, which sends them afterwards.
        loop.submit(() -> {
                    Output output = new Output(context, new Http1Loop(loop), () -> {});
                    for (int i = 0; i < PIECES; i++) {
                        output.write(context.alloc().directBuffer().writeInt(i).writeZero(PIECE_BYTES - 4));
                    }
                    output.flushNow();
                    output.close();
                })
                .sync();
        ByteBuf sent = channel.readOutbound();
        assertThat(sent.readableBytes()).isEqualTo(PIECES * PIECE_BYTES);
        for (int i = 0; i < PIECES; i++) {
            assertThat(sent.getInt(i * PIECE_BYTES)).isEqualTo(i);
        }
        sent.release();
        Object more = channel.readOutbound();
        assertThat(more).isNull();
    }
}
