package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.RawHttp2.head;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ServerTls;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Floods of HTTP/2 clients. */
@SuppressWarnings("try") // A connection is closed early so that its sender ends.
final class Http2FloodTest extends EngineContract {

    private static final int FLOOD = 20_000;

    /** What a flood sends again and again; it is given the number of the round. */
    @FunctionalInterface
    interface Round {
        void send(RawHttp2 client, int round) throws Exception;
    }

    private static int stream(int round) {
        return 2 * round + 1;
    }

    static Stream<Arguments> floods() {
        return Stream.of(
                arguments("rapid reset", (Round) (client, round) -> {
                    client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM | RawHttp2.END_HEADERS, stream(round), head());
                    client.send(RawHttp2.RST_STREAM, 0, stream(round), new byte[] {0, 0, 0, 8});
                }),
                arguments("streams that the gateway must reset", (Round) (client, round) -> {
                    client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream(round), head("content-length", "1"));
                    client.send(RawHttp2.WINDOW_UPDATE, 0, stream(round), new byte[4]);
                }),
                arguments("streams that the gateway must reset, by windows that overflow", (Round) (client, round) -> {
                    client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream(round), head("content-length", "1"));
                    client.send(RawHttp2.WINDOW_UPDATE, 0, stream(round), (byte) 0x7f, (byte) -1, (byte) -1, (byte) -1);
                }),
                arguments("streams that the gateway must reset, by malformed heads", (Round)
                        (client, round) -> client.send(
                                RawHttp2.HEADERS,
                                RawHttp2.END_STREAM | RawHttp2.END_HEADERS,
                                stream(round),
                                head("X-Upper", "1"))),
                arguments("streams that the gateway must reset, by bodies that are too long", (Round)
                        (client, round) -> {
                            client.send(
                                    RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream(round), head("content-length", "1"));
                            client.send(RawHttp2.DATA, RawHttp2.END_STREAM, stream(round), new byte[2]);
                        }),
                arguments("priorities", (Round) (client, round) -> client.send(2, 0, 1, new byte[] {0, 0, 0, 0, 1})),
                arguments("acknowledged settings", (Round) (client, round) -> client.send(RawHttp2.SETTINGS, 1, 0)),
                arguments(
                        "acknowledged pings", (Round) (client, round) -> client.send(RawHttp2.PING, 1, 0, new byte[8])),
                arguments("settings", (Round) (client, round) -> client.send(RawHttp2.SETTINGS, 0, 0)),
                arguments("pings", (Round) (client, round) -> client.send(RawHttp2.PING, 0, 0, new byte[8])),
                arguments("windows of the connection", (Round)
                        (client, round) -> client.send(RawHttp2.WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 0, 1})),
                arguments("windows of a stream", (Round) (client, round) -> {
                    if (round == 0) {
                        client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM | RawHttp2.END_HEADERS, 1, head());
                    }
                    client.send(RawHttp2.WINDOW_UPDATE, 0, 1, new byte[] {0, 0, 0, 1});
                }),
                arguments("frames that nobody knows", (Round)
                        (client, round) -> client.send(0xbe, 0, 0, new byte[round % 100])),
                arguments("frames that nobody knows, on a stream", (Round)
                        (client, round) -> client.send(0xbf, 0, 2 * round + 1, new byte[4])),
                arguments("data of one octet", (Round) (client, round) -> {
                    if (round == 0) {
                        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head());
                    }
                    client.send(RawHttp2.DATA, 0, 1, new byte[1]);
                }),
                arguments("data of one octet, padded", (Round) (client, round) -> {
                    if (round == 0) {
                        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head());
                    }
                    byte[] payload = new byte[11];
                    payload[0] = 9;
                    client.send(RawHttp2.DATA, 8, 1, payload);
                }),
                arguments("empty data", (Round) (client, round) -> {
                    if (round == 0) {
                        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head());
                    }
                    client.send(RawHttp2.DATA, 0, 1);
                }),
                arguments("continuations", (Round) (client, round) -> {
                    if (round == 0) {
                        client.send(RawHttp2.HEADERS, 0, 1, head());
                    }
                    client.send(RawHttp2.CONTINUATION, 0, 1);
                }));
    }

    /** A frame of settings costs by the number of its settings. */
    @Test
    void fewFramesOfManySettingsAreAFlood() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("ok"))) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                for (int i = 0; i < 4; i++) {
                    client.send(RawHttp2.SETTINGS, 0, 0, RawHttp2.manySettings());
                }
                client.send(RawHttp2.GOAWAY, 0, 0, new byte[8]);
                assertThat(client.goAway()).isEqualTo(RawHttp2.ENHANCE_YOUR_CALM);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("floods")
    void floodIsToldToCalmDown(String what, Round round) throws Exception {
        flood(what, round, null);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("floods")
    void floodOnTlsIsToldToCalmDown(String what, Round round) throws Exception {
        flood(what, round, TestTls.create("localhost"));
    }

    private RawHttp2 client(@Nullable TestTls tls) throws Exception {
        if (tls == null) {
            return RawHttp2.connect(port());
        }
        SSLSocket socket = (SSLSocket) tls.context().getSocketFactory().createSocket("127.0.0.1", port());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        return RawHttp2.on(socket);
    }

    private void flood(String what, Round round, @Nullable TestTls tls) throws Exception {
        try (TestNode node = TestNode.start(
                (request, connection) -> connection.socket().getInputStream().read())) {
            Config plain = forwarding(node.url());
            gateway()
                    .apply(
                            tls == null
                                    ? plain
                                    : plain.certificate(tls.resource("own"))
                                            .encrypted(
                                                    "web", ServerTls.builder().build()));
            try (RawHttp2 client = client(tls)) {
                Thread reader = Thread.currentThread();
                Thread sender = Thread.ofVirtual().start(() -> {
                    try {
                        for (int i = 0; i < FLOOD && reader.isAlive(); i++) {
                            round.send(client, i);
                        }
                    } catch (Exception e) {
                        // The gateway has had enough.
                    }
                });
                assertThat(client.goAway()).as(what).isEqualTo(RawHttp2.ENHANCE_YOUR_CALM);
                client.close();
                sender.join();
            }
        }
    }
}
