package io.sigma.dataplane.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Output that goes past handlers, between two real sockets. */
final class SendingTest {

    private static final short GROUP = 1;
    private static final short BUFFERS = 16;
    private static final int MORE_THAN_SOCKETS_HOLD = 16 * 1024 * 1024;
    private static final int SOCKET_BUFFER = 64 * 1024;
    private static final int SECONDS = 20;
    private static final int SMALL = 4 * 1024;

    private final AtomicInteger progress = new AtomicInteger();
    private EventLoopGroup loops;
    private ServerSocket server;
    private Socket peer;
    private RingChannel channel;

    @BeforeEach
    void connect() throws Exception {
        assumeTrue(IoUring.isAvailable() && IoUring.isRegisterBufferRingSupported() && RingChannel.isAvailable());
        var config = new IoUringIoHandlerConfig()
                .setBufferRingConfig(IoUringBufferRingConfig.builder()
                        .bufferGroupId(GROUP)
                        .bufferRingSize(BUFFERS)
                        .batchSize(BUFFERS)
                        .incremental(false)
                        .allocator(new IoUringFixedBufferRingAllocator(1024))
                        .build());
        loops = new MultiThreadIoEventLoopGroup(1, RingHandler.factory(config));
        server = new ServerSocket();
        server.setReceiveBufferSize(SOCKET_BUFFER);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        var bootstrap = new Bootstrap()
                .group(loops)
                .channelFactory(() -> new RingChannel(GROUP))
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void userEventTriggered(ChannelHandlerContext context, Object event) {
                        if (event.equals(RingChannel.PROGRESS)) {
                            progress.incrementAndGet();
                        }
                    }
                });
        channel = (RingChannel) bootstrap
                .connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()))
                .sync()
                .channel();
        peer = server.accept();
        peer.setSoTimeout(SECONDS * 1000);
    }

    @AfterEach
    void close() throws Exception {
        if (loops != null) {
            peer.close();
            server.close();
            loops.shutdownGracefully(0, SECONDS, TimeUnit.SECONDS).sync();
        }
    }

    private <T> T onLoop(Callable<T> task) throws Exception {
        return channel.eventLoop().submit(task).get(SECONDS, TimeUnit.SECONDS);
    }

    private void until(Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!onLoop(holds)) {
            assertThat(System.nanoTime()).as("a moment before the time is up").isLessThan(end);
            Thread.sleep(1);
        }
    }

    private static ByteBuf text(String text) {
        return Unpooled.directBuffer().writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static ByteBuf zeros() {
        return Unpooled.directBuffer(MORE_THAN_SOCKETS_HOLD).writeZero(MORE_THAN_SOCKETS_HOLD);
    }

    private String read(int bytes) throws IOException {
        return new String(peer.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }

    @Test
    void whatIsSentArrivesAndIsReleased() throws Exception {
        ByteBuf data = text("hello");
        assertThat(onLoop(() -> channel.send(data) && channel.sending() == 5)).isTrue();
        assertThat(read(5)).isEqualTo("hello");
        until(() -> data.refCnt() == 0 && channel.sending() == 0);
    }

    @Test
    void nothingOvertakesWhatWaitsOrRuns() throws Exception {
        ByteBuf data = text("second");
        assertThat(onLoop(() -> {
                    channel.write(text("first "));
                    return channel.send(data);
                }))
                .isFalse();
        assertThat(data.refCnt()).isEqualTo(1);
        assertThat(onLoop(() -> {
                    channel.flush();
                    return channel.send(data);
                }))
                .isFalse();
        onLoop(() -> channel.writeAndFlush(data));
        assertThat(read(12)).isEqualTo("first second");
    }

    @Test
    void whatThePeerDoesNotReadIsSentLaterAndBeforeWhatIsWrittenThen() throws Exception {
        ByteBuf data = zeros();
        assertThat(onLoop(() -> {
                    boolean taken = channel.send(data);
                    channel.writeAndFlush(text("end"));
                    return taken && !channel.send(Unpooled.EMPTY_BUFFER);
                }))
                .isTrue();
        // A peer that reads at once may take everything from one send.
        until(() -> channel.sending() < MORE_THAN_SOCKETS_HOLD);
        assertThat(peer.getInputStream().readNBytes(MORE_THAN_SOCKETS_HOLD))
                .containsOnly(0)
                .hasSize(MORE_THAN_SOCKETS_HOLD);
        assertThat(read(3)).isEqualTo("end");
        until(() -> data.refCnt() == 0 && channel.sending() == 0);
        assertThat(progress).hasPositiveValue();
    }

    @Test
    void theEndWaitsForWhatIsSent() throws Exception {
        ByteBuf data = zeros();
        onLoop(() -> {
            channel.send(data);
            return channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> channel.close());
        });
        assertThat(peer.getInputStream().readAllBytes()).hasSize(MORE_THAN_SOCKETS_HOLD);
        assertThat(data.refCnt()).isZero();
    }

    @Test
    void closingLetsGoOfWhatIsBeingSent() throws Exception {
        ByteBuf data = zeros();
        onLoop(() -> channel.send(data));
        until(() -> channel.sending() < MORE_THAN_SOCKETS_HOLD);
        onLoop(channel::close).await(SECONDS, TimeUnit.SECONDS);
        until(() -> data.refCnt() == 0);
        assertThat(onLoop(() -> channel.send(Unpooled.EMPTY_BUFFER))).isFalse();
    }

    @Test
    void aPeerThatIsGoneClosesTheConnection() throws Exception {
        ByteBuf data = zeros();
        onLoop(() -> channel.send(data));
        peer.setSoLinger(true, 0);
        peer.close();
        assertThat(channel.closeFuture().await(SECONDS, TimeUnit.SECONDS)).isTrue();
        until(() -> data.refCnt() == 0);
        assertThatExceptionOfType(SocketException.class).isThrownBy(() -> peer.getInputStream());
    }

    @Test
    void smallSendIsKnownToBeDoneAlthoughNothingElseHappens() throws Exception {
        for (int i = 0; i < 100; i++) {
            ByteBuf data = text("hello");
            assertThat(onLoop(() -> channel.send(data))).isTrue();
            // Without a task for the loop, which would wake it.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (data.refCnt() > 0 && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(data.refCnt()).isZero();
            assertThat(read(5)).isEqualTo("hello");
        }
    }

    @Test
    void smallSendsThatFindNoRoomArriveInTheirOrder() throws Exception {
        int sent = 0;
        boolean full = false;
        while (!full) {
            ByteBuf data = Unpooled.directBuffer(SMALL).writeInt(sent).writeZero(SMALL - Integer.BYTES);
            assertThat(onLoop(() -> channel.send(data))).isTrue();
            sent++;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            // Each task wakes the loop, which then looks at what was sent.
            while (!full && onLoop(data::refCnt) > 0) {
                full = System.nanoTime() > end;
            }
        }
        DataInputStream received = new DataInputStream(peer.getInputStream());
        for (int i = 0; i < sent; i++) {
            assertThat(received.readInt()).isEqualTo(i);
            received.skipNBytes(SMALL - Integer.BYTES);
        }
        until(() -> channel.sending() == 0);
    }
}
