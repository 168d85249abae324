package io.sigma.e2e.chaos;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Frames of HTTP/2, right or wrong (RFC 9113 §4.1), and header blocks of literals (RFC 7541 §6.2). */
final class Frames {

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;

    static final int HEADER_TABLE_SIZE = 1;
    static final int INITIAL_WINDOW_SIZE = 4;

    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private Frames() {}

    static byte[] frame(int type, int flags, int stream, byte... payload) {
        byte[] frame = new byte[9 + payload.length];
        frame[0] = (byte) (payload.length >> 16);
        frame[1] = (byte) (payload.length >> 8);
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        System.arraycopy(int32(stream), 0, frame, 5, 4);
        System.arraycopy(payload, 0, frame, 9, payload.length);
        return frame;
    }

    static byte[] int32(int value) {
        return new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value};
    }

    /** Returns SETTINGS of pairs of an identifier and a value. */
    static byte[] settings(int... pairs) {
        byte[] payload = new byte[pairs.length * 3];
        for (int i = 0; i < pairs.length; i += 2) {
            payload[i * 3 + 1] = (byte) pairs[i];
            System.arraycopy(int32(pairs[i + 1]), 0, payload, i * 3 + 2, 4);
        }
        return frame(SETTINGS, 0, 0, payload);
    }

    static byte[] windowUpdate(int stream, int increment) {
        return frame(WINDOW_UPDATE, 0, stream, int32(increment));
    }

    /** Returns a request without a body. */
    static byte[] get(int stream, String path, String... more) {
        return frame(HEADERS, END_HEADERS | END_STREAM, stream, head("GET", path, more));
    }

    /** Returns the head of a request with a body. */
    static byte[] post(int stream, String path, String... more) {
        return frame(HEADERS, END_HEADERS, stream, head("POST", path, more));
    }

    static byte[] head(String method, String path, String... more) {
        return join(
                fields(":method", method, ":scheme", "http", ":path", path, ":authority", "localhost"), fields(more));
    }

    /** Returns a header block of literal fields that are not indexed. */
    static byte[] fields(String... namesAndValues) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i++) {
            if (i % 2 == 0) {
                block.write(0);
            }
            text(block, namesAndValues[i]);
        }
        return block.toByteArray();
    }

    /** Returns a field that enters the dynamic table, as its newest entry. */
    static byte[] indexed(String name, String value) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(0x40);
        text(block, name);
        text(block, value);
        return block.toByteArray();
    }

    private static void text(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length < 127) {
            block.write(bytes.length);
        } else {
            block.write(127);
            int rest = bytes.length - 127;
            for (; rest >= 128; rest /= 128) {
                block.write(rest % 128 + 128);
            }
            block.write(rest);
        }
        block.writeBytes(bytes);
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static byte[] times(int count, byte... part) {
        byte[] all = new byte[part.length * count];
        for (int i = 0; i < count; i++) {
            System.arraycopy(part, 0, all, i * part.length, part.length);
        }
        return all;
    }
}
