package io.sigma.dataplane.http1.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.dataplane.testkit.WebSocketAccept;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes of protocol switches (RFC 9110 §7.8, RFC 6455 §4): what the gateway takes for one on either side. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class SwitchRulesTest extends TlsContract {

    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    private static final String OFFER = "Sec-WebSocket-Protocol: chat, superchat\r\n"
            + "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
            + "Sec-WebSocket-Extensions: x-own\r\n";
    private static final String ASK = ask("Sec-WebSocket-Key: " + KEY + "\r\nSec-WebSocket-Version: 13\r\n");

    private static String ask(String fields) {
        return "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" + OFFER + fields
                + "\r\n";
    }

    private static String accept(TestNode.Received request) throws Exception {
        return WebSocketAccept.of(String.valueOf(request.field("sec-websocket-key")));
    }

    /** Answers every handshake with 101, these fields and the right key, and reads. */
    private static TestNode switching(String fields) {
        return TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 101 x\r\n" + fields + "Sec-WebSocket-Accept: " + accept(request) + "\r\n\r\n");
            connection.in().read();
        });
    }

    private static RawHttp2 open(RawHttp2 client, String... more) throws Exception {
        List<String> fields = new ArrayList<>(List.of(
                ":method",
                "CONNECT",
                ":protocol",
                "websocket",
                ":scheme",
                "http",
                ":path",
                "/chat",
                ":authority",
                "a",
                "sec-websocket-protocol",
                "chat, superchat",
                "sec-websocket-extensions",
                "permessage-deflate; client_max_window_bits, x-own"));
        fields.addAll(Arrays.asList(more));
        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.fields(fields.toArray(String[]::new)));
        return client;
    }

    // --- What a node answers

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: Upgrade\r\n",
                "Upgrade: websocket\r\n",
                "Upgrade: other\r\nConnection: Upgrade\r\n",
                "Upgrade: websocket, other\r\nConnection: Upgrade\r\n",
                "Upgrade: websocket\r\nUpgrade: other\r\nConnection: Upgrade\r\n",
                "Upgrade: websocket/13\r\nConnection: Upgrade\r\n",
                "Upgrade: websocket\r\nConnection: keep-alive\r\n",
                "Upgrade: websocket\r\nConnection: close, upgraded\r\n",
                "Upgrade:\r\nConnection: Upgrade\r\n",
            })
    void switchThatIsNoneIsABadResponse(String fields) throws Exception {
        try (TestNode node = switching(fields)) {
            gateway().apply(forwarding(node.url()));
            assertThat(exchange(ASK).status()).isEqualTo(502);
            try (RawHttp2 client = open(RawHttp2.connect(port()))) {
                assertThat(client.status(client.next())).isEqualTo("502");
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Upgrade: WebSocket\r\nConnection: UPGRADE\r\n",
                "Connection: keep-alive\r\nConnection: x-hop,upgrade\r\nUpgrade: websocket\r\n",
            })
    void switchMayBeSpelledInManyWays(String fields) throws Exception {
        try (TestNode node = switching(fields)) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange(ASK);
            assertThat(answer.status()).isEqualTo(101);
            assertThat(answer.field("upgrade")).isEqualToIgnoringCase("websocket");
            try (RawHttp2 client = open(RawHttp2.connect(port()))) {
                assertThat(client.status(client.next())).isEqualTo("200");
            }
        }
    }

    /** A 101 has neither framing (RFC 9112 §6.1, RFC 9110 §8.6) nor fields of another connection. */
    @Test
    void onlyFieldsOfTheSwitchReachTheClient() throws Exception {
        try (TestNode node = switching("Upgrade: websocket\r\nConnection: Upgrade, X-Hop\r\nX-Hop: 1\r\n"
                + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\nKeep-Alive: timeout=5\r\nTrailer: X\r\n"
                + "Proxy-Connection: keep-alive\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nSet-Cookie: a=b\r\n"
                + "Sec-WebSocket-Protocol: superchat\r\n"
                + "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=10\r\n")) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange(ASK);
            assertThat(answer.status()).isEqualTo(101);
            assertThat(answer.fields())
                    .containsExactlyInAnyOrder(
                            "upgrade: websocket",
                            "connection: Upgrade",
                            "Date: Sun, 06 Nov 1994 08:49:37 GMT",
                            "Set-Cookie: a=b",
                            "Sec-WebSocket-Protocol: superchat",
                            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=10",
                            "Sec-WebSocket-Accept: " + ACCEPT);
            try (RawHttp2 client = open(RawHttp2.connect(port()))) {
                assertThat(client.decoded(client.next()))
                        .containsExactlyInAnyOrder(
                                ":status: 200",
                                "date: Sun, 06 Nov 1994 08:49:37 GMT",
                                "set-cookie: a=b",
                                "sec-websocket-protocol: superchat",
                                "sec-websocket-extensions: permessage-deflate; client_max_window_bits=10");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"foo/1, foo/1, 101", "foo/1, FOO/1.0, 101", "foo/1, bar, 502", "foo, 'foo, bar', 502"})
    void otherProtocolsAreTheOnesThatWereAskedFor(String asked, String answered, int status) throws Exception {
        try (TestNode node = switching("Upgrade: " + answered + "\r\nConnection: Upgrade\r\n")) {
            gateway().apply(forwarding(node.url()));
            assertThat(exchange("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: " + asked + "\r\n\r\n")
                            .status())
                    .isEqualTo(status);
            assertThat(node.last().all("upgrade")).containsExactly(asked);
        }
    }

    /** Where HTTP/2 meets HTTP/1.1 the gateway is the WebSocket client of the one and the server of the other. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-WebSocket-Protocol: other\r\n",
                "Sec-WebSocket-Protocol: chat, superchat\r\n",
                "Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Protocol: chat\r\n",
                "Sec-WebSocket-Protocol:\r\n",
                "Sec-WebSocket-Extensions: other\r\n",
                "Sec-WebSocket-Extensions: x-own, other; a=b\r\n",
                "Sec-WebSocket-Accept: another\r\n",
            })
    void translatedSwitchAnswersTheOffer(String fields) throws Exception {
        try (TestNode node = switching("Upgrade: websocket\r\nConnection: Upgrade\r\n" + fields)) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open(RawHttp2.connect(port()))) {
                assertThat(client.status(client.next())).isEqualTo("502");
            }
        }
        if (fields.contains("Accept")) {
            return;
        }
        String[] pairs = Arrays.stream(fields.strip().split("\r\n", -1))
                .flatMap(line -> Arrays.stream(line.toLowerCase(Locale.ROOT).split(": ?", 2)))
                .toArray(String[]::new);
        try (FrameNode node = FrameNode.startConnecting(0, (request, connection) -> {
            List<String> head = new ArrayList<>(List.of(":status", "200"));
            head.addAll(Arrays.asList(pairs));
            connection.head(request.stream(), head.toArray(String[]::new));
        })) {
            gateway().apply(forwarding(node.url()).overHttp2());
            assertThat(exchange(ASK).status()).isEqualTo(502);
        }
    }

    // --- What a client asks

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-WebSocket-Version: 13\r\n",
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key:\r\n",
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\n",
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZSE=\r\n",
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ\r\n",
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ********************====\r\n",
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + "\r\nSec-WebSocket-Key: " + KEY + "\r\n",
            })
    void handshakeWithoutAKeyIsRefusedWhereItIsTranslated(String fields) throws Exception {
        try (FrameNode node = FrameNode.startConnecting(
                0, (request, connection) -> connection.head(request.stream(), ":status", "200"))) {
            gateway().apply(forwarding(node.url()).overHttp2());
            assertThat(exchange(ask(fields)).status()).isEqualTo(400);
            assertThat(exchange(ASK.replace("GET", "POST")).status()).isEqualTo(400);
            assertThat(node.heads()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Sec-WebSocket-Version: 12\r\n",
                "Sec-WebSocket-Version: 013\r\n",
                "Sec-WebSocket-Version: 13, 8\r\n",
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 13\r\n"
            })
    void versionThatIsNotThatOfTheTranslationIsToldTheRightOne(String version) throws Exception {
        try (FrameNode node = FrameNode.startConnecting(
                0, (request, connection) -> connection.head(request.stream(), ":status", "200"))) {
            gateway().apply(forwarding(node.url()).overHttp2());
            RawClient.Answer answer = exchange(ask("Sec-WebSocket-Key: " + KEY + "\r\n" + version));
            assertThat(answer.status()).isEqualTo(426);
            assertThat(answer.all("sec-websocket-version")).containsExactly("13");
            assertThat(answer.all("upgrade")).containsExactly("websocket");
            assertThat(answer.all("connection")).contains("Upgrade");
            assertThat(node.heads()).isEmpty();
            assertThat(exchange(ASK).status()).isEqualTo(101);
        }
        if (version.isEmpty()) {
            return;
        }
        String[] more = version.strip().toLowerCase(Locale.ROOT).split(": |\r\n", -1);
        try (TestNode node = switching("Upgrade: websocket\r\nConnection: Upgrade\r\n")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open(RawHttp2.connect(port()), more)) {
                List<String> answer = client.decoded(client.next());
                assertThat(answer).contains(":status: 426", "sec-websocket-version: 13");
                assertThat(answer).noneMatch(field -> field.startsWith("upgrade") || field.startsWith("connection"));
            }
            assertThat(node.received()).isEmpty();
        }
    }

    /** Between two sides on HTTP/1.1 the versions are theirs to agree on. */
    @Test
    void versionsOfANodeReachTheClient() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                "HTTP/1.1 426 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Version: 8, 7\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange(ask("Sec-WebSocket-Key: " + KEY + "\r\nSec-WebSocket-Version: 25\r\n"));
            assertThat(answer.status()).isEqualTo(426);
            assertThat(answer.all("sec-websocket-version")).containsExactly("13", "8, 7");
            assertThat(node.last().all("sec-websocket-version")).containsExactly("25");
            assertThat(node.last().all("sec-websocket-key")).containsExactly(KEY);
            assertThat(node.last().all("sec-websocket-protocol")).containsExactly("chat, superchat");
            assertThat(node.last().all("sec-websocket-extensions"))
                    .containsExactly("permessage-deflate; client_max_window_bits", "x-own");
        }
    }

    @Test
    void handshakeThatTheGatewayMakesIsWhole() throws Exception {
        try (TestNode node = switching("Upgrade: websocket\r\nConnection: Upgrade\r\n")) {
            gateway().apply(forwarding(node.url()));
            Set<String> keys = new HashSet<>();
            for (String[] more : new String[][] {{}, {"sec-websocket-key", KEY, "sec-websocket-key", KEY}}) {
                try (RawHttp2 client = open(RawHttp2.connect(port()), more)) {
                    assertThat(client.status(client.next())).isEqualTo("200");
                }
                TestNode.Received request = node.last();
                assertThat(request.line()).isEqualTo("GET /chat HTTP/1.1");
                assertThat(request.all("host")).containsExactly("a");
                assertThat(request.all("upgrade")).containsExactly("websocket");
                assertThat(request.all("connection")).containsExactly("Upgrade");
                assertThat(request.all("sec-websocket-version")).containsExactly("13");
                assertThat(request.all("sec-websocket-key")).hasSize(1);
                keys.add(String.valueOf(request.field("sec-websocket-key")));
            }
            assertThat(keys).hasSize(2).doesNotContain(KEY);
            assertThat(keys).allMatch(key -> Base64.getDecoder().decode(key).length == 16);
        }
    }

    // --- After the handshake

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingFollowsTheHandshakeBeforeItsAnswer(boolean http2) throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            sent.await(10, TimeUnit.SECONDS);
            Thread.sleep(200);
            int early = connection.in().available();
            connection.send("HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Early: " + early
                    + "\r\nSec-WebSocket-Accept: " + accept(request) + "\r\n\r\n");
            connection.in().read();
        })) {
            gateway().apply(forwarding(node.url()));
            if (http2) {
                try (RawHttp2 client = open(RawHttp2.connect(port()))) {
                    client.send(RawHttp2.DATA, 0, 1, new byte[100]);
                    sent.countDown();
                    assertThat(client.decoded(client.next())).contains("x-early: 0");
                }
            } else {
                try (RawClient client = RawClient.connect(port())) {
                    client.send(ASK + "early");
                    sent.countDown();
                    assertThat(client.read().field("x-early")).isEqualTo("0");
                }
            }
        }
    }

    /** Frames are bytes to the gateway, also those that break all rules. */
    @Test
    void everyByteOfATunnelPassesAsItIs() throws Exception {
        byte[] frames = new byte[3 * 256];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = (byte) (i * 7);
        }
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                    + accept(request) + "\r\n\r\n");
            connection.out().write(connection.in().readNBytes(frames.length));
            connection.out().flush();
            connection.in().read();
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                assertThat(client.read().status()).isEqualTo(101);
                client.out().write(frames);
                client.out().flush();
                assertThat(client.in().readNBytes(frames.length)).isEqualTo(frames);
            }
        }
    }

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }
}
