package io.sigma.dataplane.http1.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.dataplane.testkit.WebSocketAccept;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Clients that open WebSockets on streams of HTTP/2 (RFC 8441), and nodes that echo them. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
abstract class WebSocketStreamsContract extends TlsContract {

    static final int CANCEL = 8;

    static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

    static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    static byte[] connect(String... more) {
        List<String> all = new ArrayList<>(RawHttp2.CONNECT_FIELDS);
        all.addAll(List.of("sec-websocket-protocol", "chat", "origin", "http://shop.example.com"));
        all.addAll(Arrays.asList(more));
        return RawHttp2.fields(all.toArray(String[]::new));
    }

    static RawHttp2 open(RawHttp2 client) throws IOException {
        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, connect());
        return client;
    }

    RawHttp2 open() throws IOException {
        return open(RawHttp2.connect(port()));
    }

    static void send(RawHttp2 client, String text) throws IOException {
        client.send(RawHttp2.DATA, 0, 1, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns what comes on the stream, as text, until there is so much of it. */
    static String text(RawHttp2 client, int length) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (all.size() < length) {
            RawHttp2.Frame frame = client.next();
            assertThat(frame.type()).isEqualTo(RawHttp2.DATA);
            all.write(frame.payload());
        }
        return all.toString(StandardCharsets.US_ASCII);
    }

    /** Reads to the end of the stream, which may come with the last piece or behind it. */
    static String textToEnd(RawHttp2 client) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        RawHttp2.Frame frame;
        do {
            frame = client.next();
            assertThat(frame.type()).isEqualTo(RawHttp2.DATA);
            all.write(frame.payload());
        } while ((frame.flags() & RawHttp2.END_STREAM) == 0);
        return all.toString(StandardCharsets.US_ASCII);
    }

    static void switchTo(TestNode.Received request, TestNode.Connection connection) throws Exception {
        connection.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Accept: "
                + WebSocketAccept.of(String.valueOf(request.field("sec-websocket-key"))) + "\r\n\r\n");
    }

    /** Sends back what comes, and "bye" when nothing more does. */
    static TestNode echo() {
        return TestNode.start((request, connection) -> {
            switchTo(request, connection);
            byte[] piece = new byte[65_536];
            for (int n = connection.in().read(piece);
                    n >= 0;
                    n = connection.in().read(piece)) {
                connection.out().write(piece, 0, n);
                connection.out().flush();
            }
            connection.send("bye");
            connection.socket().close();
        });
    }

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }
}
