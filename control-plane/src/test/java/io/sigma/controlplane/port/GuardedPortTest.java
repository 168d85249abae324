package io.sigma.controlplane.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.value.TrustedAddresses;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections from when they are accepted, over real sockets. */
final class GuardedPortTest {

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    /** More than buffers of sockets hold. */
    private static final int LARGE_BYTES = 32 * 1024 * 1024;

    private final Vertx vertx = Vertx.vertx();
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        vertx.close().await(20, TimeUnit.SECONDS);
    }

    private GuardedPort port(int max, int ofAddress, Duration head, Duration idle) {
        return new GuardedPort(
                new PortLimits("port of a test", max, ofAddress, new TrustedAddresses(List.of()), head, idle));
    }

    private int listen(GuardedPort port, HttpServerOptions options) throws Exception {
        HttpServer server = port.server(vertx, options.setHost("127.0.0.1").setPort(0))
                .requestHandler(request -> {
                    port.begun(request.connection());
                    request.response()
                            .endHandler(ended -> port.ended(request.connection()))
                            .end("well");
                });
        return server.listen().await(20, TimeUnit.SECONDS).actualPort();
    }

    private Socket open(int port, String from, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.ofLiteral(from), 0);
        sockets.add(socket);
        socket.setSoTimeout(20_000);
        send(socket, text);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static int read(Socket socket) {
        try {
            return socket.getInputStream().read();
        } catch (IOException e) {
            // A reset is an end too.
            return -1;
        }
    }

    private static long readAll(Socket socket) {
        byte[] buffer = new byte[64 * 1024];
        long all = 0;
        try {
            for (int read = 0; read >= 0; read = socket.getInputStream().read(buffer)) {
                all += read;
            }
        } catch (IOException e) {
            // A reset is an end too.
        }
        return all;
    }

    @Test
    void halfHeadsEndHoweverTheyTrickle() throws Exception {
        int port = listen(port(10, 10, Duration.ofMillis(700), Duration.ofSeconds(60)), new HttpServerOptions());
        Socket half = open(port, "127.0.0.1", "GET / HTTP/1.1\r\nHost: a\r\n");
        Socket trickling = open(port, "127.0.0.1", "GET / HTTP/1.1\r\n");
        Socket silent = open(port, "127.0.0.1", "");
        Thread trickle = Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    send(trickling, "X");
                    Thread.sleep(50);
                }
            } catch (IOException | InterruptedException e) {
                // The port has to close it, so writing must fail at some time.
            }
        });
        assertThat(read(half)).isEqualTo(-1);
        assertThat(read(trickling)).isEqualTo(-1);
        assertThat(read(silent)).isEqualTo(-1);
        trickle.join();
    }

    @Test
    void aSecondHeadHasNoMoreTimeThanTheFirst() throws Exception {
        int port = listen(port(10, 10, Duration.ofMillis(700), Duration.ofSeconds(60)), new HttpServerOptions());
        Socket socket = open(port, "127.0.0.1", REQUEST);
        assertThat(read(socket)).isEqualTo('H');
        send(socket, "GET /second");
        int last = 0;
        while (last >= 0) {
            last = read(socket);
        }
        assertThat(last).isEqualTo(-1);
    }

    @Test
    void aConnectionIsKeptBetweenRequestsForAWhile() throws Exception {
        int port = listen(port(10, 10, Duration.ofMillis(500), Duration.ofSeconds(3)), new HttpServerOptions());
        Socket socket = open(port, "127.0.0.1", REQUEST);
        byte[] answer = socket.getInputStream().readNBytes("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nwell".length());
        assertThat(new String(answer, StandardCharsets.US_ASCII)).endsWith("well");
        Thread.sleep(1_000);
        send(socket, REQUEST);
        assertThat(read(socket)).as("longer than a head may take").isEqualTo('H');
        int last = 0;
        while (last >= 0) {
            last = read(socket);
        }
        assertThat(last).as("but not for ever").isEqualTo(-1);
    }

    @Test
    void whoDoesNotReadMakesRoomToo() throws Exception {
        GuardedPort guarded = port(8, 4, Duration.ofSeconds(60), Duration.ofSeconds(60));
        HttpServer server = guarded.server(
                        vertx, new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .requestHandler(request -> request.response().end(Buffer.buffer(new byte[LARGE_BYTES])));
        int port = server.listen().await(20, TimeUnit.SECONDS).actualPort();
        Socket deaf = open(port, "127.0.0.1", REQUEST);
        assertThat(read(deaf)).isEqualTo('H');
        for (int i = 0; i < 4; i++) {
            open(port, "127.0.0.1", "GET");
        }
        // Its room is counted as free at once; what it did not read is let go of as well.
        Thread.sleep(1_000);
        assertThat(readAll(deaf)).isLessThan(LARGE_BYTES);
    }

    @Test
    void anAddressLosesItsOldestAndOthersGetIn() throws Exception {
        GuardedPort guarded = port(8, 4, Duration.ofSeconds(60), Duration.ofSeconds(60));
        int port = listen(guarded, new HttpServerOptions());
        Socket first = open(port, "127.0.0.1", "GET");
        for (int i = 0; i < 20; i++) {
            open(port, "127.0.0.1", "GET");
        }
        assertThat(read(first)).isEqualTo(-1);
        assertThat(read(open(port, "127.0.0.1", REQUEST)))
                .as("the same address")
                .isEqualTo('H');
        assertThat(read(open(port, "127.0.0.2", REQUEST))).as("another").isEqualTo('H');
        for (int i = 3; i < 20; i++) {
            open(port, "127.0.0." + i, "GET");
        }
        assertThat(guarded.size()).isLessThanOrEqualTo(8);
        assertThat(read(open(port, "127.0.0.99", REQUEST)))
                .as("where all places are taken")
                .isEqualTo('H');
        assertThat(guarded.closedForRoom()).isPositive();
    }

    @Test
    void halfHandshakesAreBoundedToo() throws Exception {
        TestCertificate certificate = TestCertificate.create("localhost");
        HttpServerOptions tls = new HttpServerOptions()
                .setUseAlpn(false)
                .setSsl(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertValue(Buffer.buffer(certificate.chain()))
                        .addKeyValue(Buffer.buffer(certificate.key())));
        GuardedPort guarded = port(8, 4, Duration.ofMillis(900), Duration.ofSeconds(60));
        int port = listen(guarded, tls);
        for (int i = 0; i < 30; i++) {
            open(port, "127.0.0.1", "\u0016\u0003\u0001");
        }
        assertThat(guarded.size()).isLessThanOrEqualTo(4);
        assertThat(read(sockets.getLast()))
                .as("the time for a head is that of TLS too")
                .isEqualTo(-1);
    }

    /** A transport of Vert.x that has a handler at each port, as one that keeps a descriptor in reserve. */
    private record Watched(AtomicInteger seen) implements Transport {

        @Override
        public String name() {
            return NIO.name();
        }

        @Override
        public boolean available() {
            return true;
        }

        @Override
        public @Nullable Throwable unavailabilityCause() {
            return null;
        }

        @Override
        public io.vertx.core.spi.transport.Transport implementation() {
            return new NioTransport() {
                @Override
                public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
                    super.configure(options, domainSocket, bootstrap);
                    bootstrap.handler(new ChannelInboundHandlerAdapter() {
                        @Override
                        public void channelRead(ChannelHandlerContext context, Object accepted) {
                            seen.incrementAndGet();
                            context.fireChannelRead(accepted);
                        }
                    });
                }
            };
        }
    }

    @Test
    void handlerOfTheTransportStays() throws Exception {
        AtomicInteger seen = new AtomicInteger();
        Vertx watched = Vertx.builder().withTransport(new Watched(seen)).build();
        try {
            GuardedPort guarded = port(1, 1, Duration.ofSeconds(20), Duration.ofSeconds(60));
            int port = guarded.server(
                            watched,
                            new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                    .requestHandler(request -> request.response().end("well"))
                    .listen()
                    .await(20, TimeUnit.SECONDS)
                    .actualPort();
            assertThat(read(open(port, "127.0.0.1", REQUEST))).isEqualTo('H');
            assertThat(read(open(port, "127.0.0.2", REQUEST))).isEqualTo('H');
            assertThat(seen).hasValue(2);
            assertThat(guarded.closedForRoom()).isEqualTo(1);
        } finally {
            watched.close().await(20, TimeUnit.SECONDS);
        }
    }
}
