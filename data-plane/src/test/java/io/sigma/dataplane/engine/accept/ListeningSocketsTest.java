package io.sigma.dataplane.engine.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ServerChannel;
import io.sigma.dataplane.engine.uring.TunedIoUring;
import io.sigma.dataplane.loop.MemoryBudget;
import io.sigma.dataplane.testkit.fault.FileLimit;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.impl.transports.IoUringTransport;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ListeningSocketsTest {

    private static final String HOST = "127.0.0.1";

    private Vertx vertx;
    private ListeningSockets sockets;

    private void start(boolean own) {
        start(Vertx.builder().with(new VertxOptions().setPreferNativeTransport(own)));
    }

    private void start(VertxBuilder builder) {
        vertx = builder.build();
        List<TrafficLoop> loops = TrafficLoop.pick((VertxInternal) vertx, 2, MemoryBudget.unlimited());
        sockets = new ListeningSockets(vertx, ((VertxInternal) vertx).transport(), loops, new SocketBudget(1_000));
    }

    @AfterEach
    void stop() throws Exception {
        if (vertx != null) {
            await(vertx.close());
        }
    }

    private static void await(Future<Void> done) throws Exception {
        done.await(10, TimeUnit.SECONDS);
    }

    private static ServerSocket listener(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = listener(0)) {
            return free.getLocalPort();
        }
    }

    private static void connect(int port) throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(client.isConnected()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientsAreResetWhenTheReserveIsTakenToo(boolean ring) throws Exception {
        Transport transport = ring ? TunedIoUring.ifAvailable() : Transport.EPOLL;
        assumeTrue(transport != null && transport.available());
        int port = freePort();
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Socket client = new Socket();
            client.setSoTimeout(10_000);
            clients.add(client);
        }
        try (FileLimit limit = FileLimit.leaving(300)) {
            start(Vertx.builder().withTransport(transport));
            await(sockets.claim(HOST, port));
            connect(port);
            sockets.close();
            limit.reach();
            for (Socket client : clients) {
                client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                assertThat(isEnded(client)).isTrue();
                client.close();
                limit.reach();
            }
            limit.leave();
            connect(port);
        }
    }

    private static boolean isEnded(Socket client) {
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** NIO closes a socket with the next turn of its loop. */
    private static void assertRefused(int port) throws IOException, InterruptedException {
        for (int i = 0; i < 1_000; i++) {
            try {
                connect(port);
            } catch (ConnectException e) {
                return;
            }
            Thread.sleep(10);
        }
        throw new AssertionError("port " + port + " is open for 10 s");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void portThatAnotherProcessWouldShareIsTaken(boolean own) throws Exception {
        start(own);
        int port = freePort();
        try (ServerSocket other = listener(port)) {
            assertThatThrownBy(() -> await(sockets.claim(HOST, other.getLocalPort())))
                    .isInstanceOf(BindException.class);
        }
        await(sockets.claim(HOST, port));
        await(sockets.release(HOST, port));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void addressIsOpenUntilTheLastListenerReleasesIt(boolean own) throws Exception {
        start(own);
        int port = freePort();
        await(sockets.claim(HOST, port));
        await(sockets.claim(HOST, port));
        await(sockets.release(HOST, port));
        connect(port);
        await(sockets.release(HOST, port));
        assertRefused(port);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void addressThatIsBeingGivenBackIsWaitedFor(boolean own) throws Exception {
        start(own);
        int port = freePort();
        await(sockets.claim(HOST, port));
        for (int i = 0; i < 20; i++) {
            Future<Void> released = sockets.release(HOST, port);
            await(sockets.claim(HOST, port));
            assertThat(released.isComplete()).isTrue();
        }
        await(sockets.release(HOST, port));
    }

    @Test
    void addressIsFreeAfterALoopGotNoDescriptor() throws Exception {
        FirstSocketFails transport = new FirstSocketFails();
        assumeTrue(transport.available(), "this machine has no io_uring");
        start(Vertx.builder().withTransport(transport));
        int port = freePort();
        assertThatThrownBy(() -> await(sockets.claim(HOST, port)))
                .isInstanceOf(ChannelException.class)
                .hasMessage("Too many open files");
        assertRefused(port);
        await(sockets.claim(HOST, port));
        connect(port);
        await(sockets.release(HOST, port));
    }

    /** io_uring in a process that had no file descriptor left when the first socket was opened. */
    private static final class FirstSocketFails extends IoUringTransport implements Transport {

        private final AtomicBoolean failed = new AtomicBoolean();

        @Override
        public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
            if (failed.compareAndSet(false, true)) {
                return () -> {
                    throw new ChannelException("Too many open files");
                };
            }
            return super.serverChannelFactory(domainSocket);
        }

        @Override
        public String name() {
            return "io_uring";
        }

        @Override
        public boolean available() {
            return isAvailable();
        }

        @Override
        public io.vertx.core.spi.transport.Transport implementation() {
            return this;
        }
    }
}
