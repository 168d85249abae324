package io.sigma.dataplane.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.unix.Socket;
import io.netty.channel.uring.IoUringChannelOption;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.transport.Transport;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two accept from one socket, as two processes do for a moment in a take-over. */
final class RingAcceptorTest {

    private final BlockingQueue<String> accepted = new LinkedBlockingQueue<>();
    private final List<java.net.Socket> clients = new ArrayList<>();
    private VertxInternal vertx;
    private InetSocketAddress address = new InetSocketAddress(0);

    @BeforeEach
    void start() {
        Transport transport = TunedIoUring.ifAvailable();
        assumeTrue(transport != null);
        vertx = (VertxInternal) Vertx.builder()
                .withTransport(Objects.requireNonNull(transport))
                .with(new VertxOptions().setEventLoopPoolSize(2))
                .build();
        assumeTrue(TunedIoUring.takesSockets(vertx.transport()));
    }

    @AfterEach
    void close() throws Exception {
        for (java.net.Socket client : clients) {
            client.close();
        }
        if (vertx != null) {
            vertx.close().await(10, TimeUnit.SECONDS);
        }
    }

    private EventLoop loop() {
        return vertx.createEventLoopContext().nettyEventLoop();
    }

    private Channel accept(EventLoop loop, int fd, String name) throws Exception {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop, loop)
                .channelFactory(TunedIoUring.inherited(fd))
                .childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, TunedIoUring.GROUP)
                .childOption(ChannelOption.ALLOCATOR, ByteBufAllocator.DEFAULT)
                .childHandler(new ChannelInboundHandlerAdapter());
        assertThat(TunedIoUring.accept(bootstrap, connection -> accepted.add(name), refused -> true))
                .isTrue();
        Channel channel = bootstrap.register().sync().channel();
        // The kernel has what was submitted before.
        for (int i = 0; i < 3; i++) {
            loop.submit(() -> {}).sync();
        }
        return channel;
    }

    private void connect() throws Exception {
        clients.add(new java.net.Socket(address.getAddress(), address.getPort()));
    }

    @SuppressWarnings("restricted") // A number, and no memory.
    private static int copy(int fd) throws Throwable {
        Linker linker = Linker.nativeLinker();
        return (int) linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("dup"),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                .invokeExact(fd);
    }

    /** The kernel wakes one of those that wait at a socket. It wakes nobody else if that one stops then. */
    @Test
    void connectionOfTheMomentInWhichOneStopsWaitsForNobody() throws Throwable {
        Socket listening = Socket.newSocketStream();
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listening.listen(16);
        address = Objects.requireNonNull(listening.localAddress());
        int copy = copy(listening.intValue());

        EventLoop earlier = loop();
        Channel first = accept(earlier, listening.intValue(), "first");
        connect();
        assertThat(accepted.poll(10, TimeUnit.SECONDS)).isEqualTo("first");
        EventLoop later = loop();
        assertThat(later).isNotSameAs(earlier);
        accept(later, copy, "second");

        earlier.submit(() -> {
                    connect();
                    first.close();
                    return null;
                })
                .sync();
        assertThat(accepted.poll(10, TimeUnit.SECONDS)).isNotNull();
        first.closeFuture().sync();
        connect();
        assertThat(accepted.poll(10, TimeUnit.SECONDS)).isEqualTo("second");
    }
}
