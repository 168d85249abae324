package io.sigma.e2e.takeover;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Open WebSockets, on each of which a message goes to and fro when it is asked for. One thread. */
final class WebSockets implements AutoCloseable {

    private static final byte[] REQUEST = """
            GET /test/echo HTTP/1.1
            Host: localhost
            Connection: Upgrade
            Upgrade: websocket
            Sec-WebSocket-Version: 13
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

            """.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
    private static final int TIMEOUT_MILLIS = 30_000;

    private final Losses losses;
    private final List<Open> open = new ArrayList<>();

    private record Open(Socket socket, InputStream in) {}

    private WebSockets(Losses losses) {
        this.losses = losses;
    }

    static WebSockets open(int port, int count, Losses losses) throws IOException {
        WebSockets opened = new WebSockets(losses);
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            Open made = new Open(socket, new BufferedInputStream(socket.getInputStream()));
            opened.open.add(made);
            socket.getOutputStream().write(REQUEST);
            String status = Node.line(made.in);
            if (!status.startsWith("HTTP/1.1 101 ")) {
                losses.lost("WebSocket", "\"" + status + "\"");
            }
            while (!Node.line(made.in).isEmpty()) {
                // A field of the answer.
            }
        }
        return opened;
    }

    /** Sends a message on each and waits for its echo. */
    void exchange(String text) {
        byte[] payload = text.getBytes(StandardCharsets.US_ASCII);
        for (Open each : open) {
            try {
                // A text in one frame (RFC 6455 §5.2), masked with zeros.
                byte[] frame = new byte[6 + payload.length];
                frame[0] = (byte) 0x81;
                frame[1] = (byte) (0x80 | payload.length);
                System.arraycopy(payload, 0, frame, 6, payload.length);
                each.socket.getOutputStream().write(frame);
                byte[] echo = each.in.readNBytes(2 + payload.length);
                String answer = new String(
                        echo, Math.min(2, echo.length), Math.max(0, echo.length - 2), StandardCharsets.US_ASCII);
                if (answer.equals(text)) {
                    losses.served("messages of WebSockets");
                } else {
                    losses.lost("WebSocket", "\"" + answer + "\" (expected: \"" + text + "\")");
                }
            } catch (IOException e) {
                losses.lost("WebSocket", e.toString());
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Open each : open) {
            each.socket.close();
        }
    }
}
