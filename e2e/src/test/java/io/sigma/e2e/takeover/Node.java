package io.sigma.e2e.takeover;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;

/** A node that answers at once, slowly ({@code /test/long}), or echoes the messages of a WebSocket. */
final class Node {

    /** A slow response: so many pieces, one after each pause. */
    static final int PIECES = 30;

    static final int PIECE_BYTES = 1_024;
    private static final long PIECE_MILLIS = 150;

    static final String SHORT = "an answer of the node";
    private static final int LINE_MAX = 8_192;

    private Node() {}

    static NodeSocket open() throws IOException {
        return NodeSocket.open("node", Node::serve);
    }

    private static void serve(Socket accepted) throws IOException {
        InputStream in = new BufferedInputStream(accepted.getInputStream());
        OutputStream out = new BufferedOutputStream(accepted.getOutputStream(), 4_096);
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String key = "";
            for (String field = line(in); !field.isEmpty(); field = line(in)) {
                if (field.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:")) {
                    key = field.substring(field.indexOf(':') + 1).trim();
                }
            }
            if (!key.isEmpty()) {
                echo(in, out, key);
                return;
            }
            answer(out, line.contains("/test/long"));
        }
    }

    private static void answer(OutputStream out, boolean slow) throws IOException {
        int length = slow ? PIECES * PIECE_BYTES : SHORT.length();
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        if (slow) {
            for (int i = 0; i < PIECES; i++) {
                out.flush();
                pause();
                out.write("x".repeat(PIECE_BYTES).getBytes(StandardCharsets.US_ASCII));
            }
        } else {
            out.write(SHORT.getBytes(StandardCharsets.US_ASCII));
        }
        out.flush();
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PIECE_MILLIS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void echo(InputStream in, OutputStream out, String key) throws IOException {
        byte[] digest = sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
        out.write(("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Accept: " + Base64.getEncoder().encodeToString(digest) + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.flush();
        for (byte[] head = in.readNBytes(6); head.length == 6; head = in.readNBytes(6)) {
            byte[] payload = in.readNBytes(head[1] & 0x7f);
            for (int i = 0; i < payload.length; i++) {
                payload[i] ^= head[2 + i % 4];
            }
            out.write(new byte[] {head[0], (byte) payload.length});
            out.write(payload);
            out.flush();
        }
    }

    private static byte[] sha1(byte[] text) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(text);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a line without its end; empty at the end of what comes. */
    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet >= 0 && octet != '\n' && line.length() < LINE_MAX; octet = in.read()) {
            if (octet != '\r') {
                line.append((char) octet);
            }
        }
        return line.toString();
    }
}
