package io.sigma.dataplane.testkit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sends frames of HTTP/2 as they are told, right or wrong, and says how the gateway takes them. */
@SuppressWarnings("ArrayRecordComponent")
public final class RawHttp2 implements AutoCloseable {

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;

    public static final int END_STREAM = 1;
    public static final int END_HEADERS = 4;
    public static final int PRIORITY = 0x20;

    public static final int PROTOCOL_ERROR = 1;
    public static final int ENHANCE_YOUR_CALM = 11;

    /** The fields of a gRPC call, names and values in turn. */
    public static final List<String> CALL_FIELDS = List.of(
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            "/test.Echo/Echoed",
            ":authority",
            "a",
            "content-type",
            "application/grpc",
            "te",
            "trailers");

    /** The fields with which a client opens a WebSocket on a stream (RFC 8441), names and values in turn. */
    public static final List<String> CONNECT_FIELDS = List.of(
            ":method",
            "CONNECT",
            ":protocol",
            "websocket",
            ":scheme",
            "http",
            ":path",
            "/chat?a=b",
            ":authority",
            "shop.example.com",
            "sec-websocket-version",
            "13");

    private static final int TIMEOUT_MILLIS = 15_000;

    /** A frame as it arrived. */
    public record Frame(int type, int flags, int stream, byte[] payload) {

        /** Returns the error code of RST_STREAM or GOAWAY, -1 of other frames. */
        public int error() {
            int at = type == RST_STREAM ? 0 : type == GOAWAY ? 4 : -1;
            return at < 0 ? -1 : payload[at + 3] & 0xff;
        }
    }

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final DefaultHttp2HeadersDecoder heads = new DefaultHttp2HeadersDecoder();

    private RawHttp2(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    public static RawHttp2 connect(int port) throws IOException {
        return on(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** Speaks on a connection that is open. */
    public static RawHttp2 on(Socket socket) throws IOException {
        socket.setSoTimeout(TIMEOUT_MILLIS);
        RawHttp2 client = new RawHttp2(socket);
        client.out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        client.send(SETTINGS, 0, 0);
        return client;
    }

    /** Sends a frame; a connection that the gateway has closed already is no failure. */
    public RawHttp2 send(int type, int flags, int stream, byte... payload) throws IOException {
        try {
            out.write(frame(type, flags, stream, payload));
            out.flush();
        } catch (SocketException e) {
            // What it said before is read next.
        }
        return this;
    }

    /** Returns the octets of a frame (RFC 9113 §4.1). */
    static byte[] frame(int type, int flags, int stream, byte... payload) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(payload.length >> 16);
        frame.write(payload.length >> 8);
        frame.write(payload.length);
        frame.write(type);
        frame.write(flags);
        for (int shift = 24; shift >= 0; shift -= 8) {
            frame.write(stream >> shift);
        }
        frame.write(payload, 0, payload.length);
        return frame.toByteArray();
    }

    /** Sends octets as they are. */
    public void sendRaw(int... octets) throws IOException {
        for (int octet : octets) {
            out.write(octet);
        }
        out.flush();
    }

    /** Returns the header block of a request for {@code /} that has {@code more} fields. */
    public static byte[] head(String... more) {
        List<String> all = new ArrayList<>(
                List.of(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "shop.example.com"));
        all.addAll(Arrays.asList(more));
        return fields(all.toArray(String[]::new));
    }

    /** Returns a header block of literal fields that are not indexed. */
    public static byte[] fields(String... namesAndValues) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i++) {
            if (i % 2 == 0) {
                block.write(0);
            }
            byte[] bytes = namesAndValues[i].getBytes(StandardCharsets.ISO_8859_1);
            length(block, bytes.length);
            block.write(bytes, 0, bytes.length);
        }
        return block.toByteArray();
    }

    private static void length(ByteArrayOutputStream block, int length) {
        if (length < 127) {
            block.write(length);
            return;
        }
        block.write(127);
        int rest = length - 127;
        while (rest >= 128) {
            block.write(rest % 128 + 128);
            rest /= 128;
        }
        block.write(rest);
    }

    /** Returns the next frames, whatever they are. */
    public List<Frame> frames(int count) throws IOException {
        List<Frame> frames = new ArrayList<>();
        while (frames.size() < count) {
            frames.add(frame());
        }
        return frames;
    }

    private Frame frame() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt() & 0x7fffffff;
        return new Frame(type, flags, stream, in.readNBytes(length));
    }

    /** Reads all that was sent before the answer to a PING, and that answer. */
    public void untilPing() throws IOException {
        Frame frame = frame();
        while (frame.type() != PING) {
            frame = frame();
        }
    }

    /** Returns the next frame of a stream or of the connection's end; others are skipped. */
    public Frame next() throws IOException {
        while (true) {
            Frame frame = frame();
            switch (frame.type()) {
                case HEADERS, CONTINUATION, RST_STREAM, GOAWAY, DATA -> {
                    return frame;
                }
                default -> {
                    // It says nothing of a stream.
                }
            }
        }
    }

    /**
     * Returns what the next SETTINGS says, by the number of the setting; frames before it are skipped, acknowledgements
     * too.
     */
    public Map<Integer, Integer> nextSettings() throws IOException {
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            in.readInt();
            ByteBuffer payload = ByteBuffer.wrap(in.readNBytes(length));
            if (type == SETTINGS && flags == 0) {
                Map<Integer, Integer> settings = new HashMap<>();
                while (payload.hasRemaining()) {
                    settings.put((int) payload.getShort(), payload.getInt());
                }
                return settings;
            }
        }
    }

    /**
     * Returns how much more may be sent on {@code stream} by the next WINDOW_UPDATE of it; frames before it are
     * skipped.
     */
    public int nextWindow(int stream) throws IOException {
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            in.readUnsignedByte();
            int of = in.readInt() & 0x7fffffff;
            ByteBuffer payload = ByteBuffer.wrap(in.readNBytes(length));
            if (type == WINDOW_UPDATE && of == stream) {
                return payload.getInt();
            }
        }
    }

    /** Returns the status of a response, which later heads of the connection may refer to: it must be read of each. */
    public String status(Frame head) throws Http2Exception {
        if (head.type() != HEADERS) {
            throw new AssertionError("a frame of type " + head.type() + " (expected: HEADERS)");
        }
        int priority = (head.flags() & PRIORITY) == 0 ? 0 : 5;
        ByteBuf block = Unpooled.wrappedBuffer(head.payload(), priority, head.payload().length - priority);
        return String.valueOf(heads.decodeHeaders(head.stream(), block).status());
    }

    /** Returns the fields of a head, which later heads of the connection may refer to, with its status first. */
    public List<String> decoded(Frame head) throws Http2Exception {
        int priority = (head.flags() & PRIORITY) == 0 ? 0 : 5;
        ByteBuf block = Unpooled.wrappedBuffer(head.payload(), priority, head.payload().length - priority);
        List<String> all = new ArrayList<>();
        heads.decodeHeaders(head.stream(), block).forEach(field -> all.add(field.getKey() + ": " + field.getValue()));
        return all;
    }

    /** Returns the payload of the largest SETTINGS, of settings that nobody knows. */
    public static byte[] manySettings() {
        int settings = 16_384 / 6;
        ByteBuffer payload = ByteBuffer.allocate(settings * 6);
        for (int i = 0; i < settings; i++) {
            payload.putShort((short) (100 + i)).putInt(i);
        }
        return payload.array();
    }

    /** Returns the code of the first GOAWAY, -1 when the connection ends without one. */
    public int goAway() throws IOException {
        try {
            Frame frame = next();
            while (frame.type() != GOAWAY) {
                frame = next();
            }
            return frame.error();
        } catch (EOFException | SocketException e) {
            return -1;
        }
    }

    /** Returns whether nothing more comes and the connection is ended, not reset. */
    public boolean isEnded() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Sends a little, whatever it is; returns whether the gateway takes nothing more. */
    public boolean isCutOff() throws IOException {
        try {
            out.write(new byte[16_384]);
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
