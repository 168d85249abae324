package io.sigma.dataplane.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

final class ReceivingTest {

    private static final int SENT = 8 * 1024 * 1024;
    private static final int BUFFER = 64 * 1024 + 4 * 1024 + 64;

    /** Takes one piece, and wants no more. Confined to the event loop. */
    private static final class OnePiece extends ChannelInboundHandlerAdapter {

        private long received;

        @Override
        public void channelRead(ChannelHandlerContext reading, Object message) {
            received += ((ByteBuf) message).readableBytes();
            ((ByteBuf) message).release();
            reading.channel().config().setAutoRead(false);
        }
    }

    @Test
    void connectionTakesLittleOfTheRingInOneWakeUp() throws Exception {
        Transport transport = TunedIoUring.ifAvailable();
        assumeTrue(transport != null && RingChannel.isAvailable() && boundsReceiving());
        VertxInternal vertx = (VertxInternal) Vertx.builder()
                .withTransport(transport)
                .with(new VertxOptions().setEventLoopPoolSize(1))
                .build();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            EventLoop loop = vertx.createEventLoopContext().nettyEventLoop();
            OnePiece reader = new OnePiece();
            Channel channel = new Bootstrap()
                    .group(loop)
                    .channelFactory(vertx.transport().channelFactory(false))
                    .handler(reader)
                    .connect(server.getLocalAddress())
                    .sync()
                    .channel();
            try (SocketChannel peer = server.accept()) {
                loop.submit(() -> {}).sync();
                CountDownLatch busy = new CountDownLatch(1);
                loop.execute(() -> await(busy));
                sendAllThatIsTaken(peer);
                busy.countDown();
                // What the kernel has received by now is handed over first.
                for (int i = 0; i < 20; i++) {
                    loop.submit(() -> {}).sync();
                }
                assertThat(loop.submit(() -> reader.received).sync().getNow())
                        .isBetween(1L, (long) Receiving.RECEIVED_MAX + BUFFER);
            }
            channel.close().sync();
        } finally {
            vertx.close().await(10, TimeUnit.SECONDS);
        }
    }

    /** Returns whether this is Linux 6.17 or newer. */
    private static boolean boundsReceiving() {
        String[] version = System.getProperty("os.version").split("[.-]", 3);
        int major = Integer.parseInt(version[0]);
        return major > 6 || (major == 6 && Integer.parseInt(version[1]) >= 17);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void sendAllThatIsTaken(SocketChannel peer) throws IOException {
        peer.configureBlocking(false);
        ByteBuffer data = ByteBuffer.allocate(SENT);
        for (int idle = 0; data.hasRemaining() && idle < 300; ) {
            if (peer.write(data) > 0) {
                idle = 0;
            } else {
                idle++;
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
