package io.sigma.dataplane.testkit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A node that speaks HTTP/2 frame by frame, right or wrong, as a test wants, and remembers what it was sent. */
@SuppressWarnings("ArrayRecordComponent")
public final class FrameNode implements Closeable {

    private static final int PREFACE_BYTES = 24;
    private static final int FRAME_BYTES_MAX = 16 * 1024;
    private static final int WINDOW_BYTES = 65_535;
    private static final int SETTINGS_WINDOW = 4;
    private static final int ACK = 1;

    /** The head of a request. */
    public record Head(int stream, boolean end, List<String> fields) {

        public String path() {
            return fields.stream()
                    .filter(field -> field.startsWith(":path: "))
                    .map(field -> field.substring(7))
                    .findFirst()
                    .orElse("");
        }
    }

    /** What the node does with a request; it may read on meanwhile. */
    @FunctionalInterface
    public interface Script {
        void handle(Head request, Connection connection) throws Exception;
    }

    private final ServerSocket server;
    private final Script script;
    private final boolean greets;
    /** True if it never sends anything of its own. */
    private volatile boolean mute;
    /** After which it says that it takes extended CONNECT; -1 when it takes none. */
    private volatile int connectsAfterMillis = -1;

    private final List<Head> heads = new CopyOnWriteArrayList<>();
    private final List<RawHttp2.Frame> frames = new CopyOnWriteArrayList<>();
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private FrameNode(Script script, boolean greets) {
        this.script = script;
        this.greets = greets;
        try {
            this.server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public static FrameNode start(Script script) {
        return new FrameNode(script, true);
    }

    /**
     * Starts a node that takes extended CONNECT (RFC 8441).
     *
     * @param lateMillis after which it says so
     */
    public static FrameNode startConnecting(int lateMillis, Script script) {
        FrameNode node = new FrameNode(script, true);
        node.connectsAfterMillis = lateMillis;
        return node;
    }

    /** Starts a node that says nothing before the first request has come. */
    public static FrameNode startSilent(Script script) {
        return new FrameNode(script, false);
    }

    /** Starts a node of which all that it says is the script's. */
    public static FrameNode startMute(Script script) {
        FrameNode node = new FrameNode(script, false);
        node.mute = true;
        return node;
    }

    public String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    public List<Head> heads() {
        return heads;
    }

    /** Returns all frames that arrived, of all connections. */
    public List<RawHttp2.Frame> frames() {
        return frames;
    }

    /** Returns how many connections have ended. */
    public int ended() {
        return ended.get();
    }

    public List<Connection> connections() {
        return connections;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                Connection connection = new Connection(socket);
                connections.add(connection);
                Thread.ofVirtual().start(connection::serve);
            } catch (IOException e) {
                return;
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket each : open) {
            each.close();
        }
    }

    /** A connection of the gateway. */
    public final class Connection {

        private final Socket socket;
        private final DataInputStream in;
        private final OutputStream out;
        private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1 << 20);
        private final Map<Integer, Integer> windows = new HashMap<>();
        private final List<Head> waiting = new ArrayList<>();
        /** Of the head that arrives. */
        private final ByteArrayOutputStream block = new ByteArrayOutputStream();

        private boolean endsStream;
        private int window = WINDOW_BYTES;
        private int initialWindow = WINDOW_BYTES;

        public Connection(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            this.in = new DataInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
        }

        private void serve() {
            try {
                in.readNBytes(PREFACE_BYTES);
                if (connectsAfterMillis >= 0) {
                    Thread.sleep(connectsAfterMillis);
                    send(RawHttp2.SETTINGS, 0, 0, (byte) 0, (byte) 8, (byte) 0, (byte) 0, (byte) 0, (byte) 1);
                } else if (greets) {
                    send(RawHttp2.SETTINGS, 0, 0);
                }
                while (true) {
                    Head head = waiting.isEmpty() ? null : waiting.removeFirst();
                    if (head == null) {
                        next();
                    } else {
                        if (!greets && !mute && heads.size() == 1) {
                            send(RawHttp2.SETTINGS, 0, 0).send(RawHttp2.SETTINGS, ACK, 0);
                        }
                        script.handle(head, this);
                    }
                }
            } catch (Exception e) {
                // The gateway, or the script, ended the connection.
            } finally {
                ended.incrementAndGet();
            }
        }

        /** Reads a frame, and does what has to be done for it. */
        public RawHttp2.Frame next() throws Exception {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            if (stream < 0) {
                throw new IOException("a reserved bit that is set");
            }
            byte[] payload = in.readNBytes(length);
            RawHttp2.Frame frame = new RawHttp2.Frame(type, flags, stream, payload);
            frames.add(frame);
            switch (type) {
                case RawHttp2.HEADERS, RawHttp2.CONTINUATION -> {
                    if (type == RawHttp2.HEADERS) {
                        block.reset();
                        endsStream = (flags & RawHttp2.END_STREAM) != 0;
                    }
                    block.write(payload);
                    if ((flags & RawHttp2.END_HEADERS) != 0) {
                        Head head = new Head(stream, endsStream, decoded(stream, block.toByteArray()));
                        heads.add(head);
                        waiting.add(head);
                    }
                }
                case RawHttp2.SETTINGS -> {
                    if ((flags & ACK) == 0) {
                        take(ByteBuffer.wrap(payload));
                        if (greets) {
                            send(RawHttp2.SETTINGS, ACK, 0);
                        }
                    }
                }
                case RawHttp2.WINDOW_UPDATE -> {
                    int more = ByteBuffer.wrap(payload).getInt();
                    if (stream == 0) {
                        window += more;
                    } else {
                        windows.merge(stream, more, Integer::sum);
                    }
                }
                default -> {
                    // It is for the script.
                }
            }
            return frame;
        }

        private List<String> decoded(int stream, byte[] block) throws Exception {
            ByteBuf buffer = Unpooled.wrappedBuffer(block);
            List<String> fields = new ArrayList<>();
            decoder.decodeHeaders(stream, buffer)
                    .forEach(field -> fields.add(field.getKey() + ": " + field.getValue()));
            return fields;
        }

        private void take(ByteBuffer settings) {
            while (settings.hasRemaining()) {
                int name = settings.getShort();
                int value = settings.getInt();
                initialWindow = name == SETTINGS_WINDOW ? value : initialWindow;
            }
        }

        /** Reads until the stream is ended or reset by the gateway; returns the octets of its body. */
        public int readBody(int stream) throws Exception {
            int octets = 0;
            while (true) {
                RawHttp2.Frame frame = next();
                if (frame.stream() != stream) {
                    continue;
                }
                if (frame.type() == RawHttp2.DATA) {
                    octets += frame.payload().length;
                }
                if (frame.type() == RawHttp2.RST_STREAM || (frame.flags() & RawHttp2.END_STREAM) != 0) {
                    return octets;
                }
            }
        }

        public Connection send(int type, int flags, int stream, byte... payload) throws IOException {
            synchronized (out) {
                out.write(RawHttp2.frame(type, flags, stream, payload));
                out.flush();
            }
            return this;
        }

        /** Sends a head of these fields, which more follows. */
        public Connection head(int stream, String... fields) throws IOException {
            return send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, RawHttp2.fields(fields));
        }

        /** Sends a head, or trailers, of these fields and ends the stream. */
        public Connection lastHead(int stream, String... fields) throws IOException {
            return send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, stream, RawHttp2.fields(fields));
        }

        public Connection reset(int stream, int code) throws IOException {
            return send(RawHttp2.RST_STREAM, 0, stream, number(code));
        }

        public Connection goAway(int last, int code) throws IOException {
            ByteBuffer payload = ByteBuffer.allocate(8).putInt(last).putInt(code);
            return send(RawHttp2.GOAWAY, 0, 0, payload.array());
        }

        private static byte[] number(int value) {
            return ByteBuffer.allocate(4).putInt(value).array();
        }

        /** Sends so many octets as the windows let pass. */
        public void data(int stream, int octets) throws Exception {
            int left = octets;
            while (left > 0) {
                int room = Math.min(window, initialWindow + windows.getOrDefault(stream, 0));
                int length = Math.min(Math.min(left, room), FRAME_BYTES_MAX);
                if (length <= 0) {
                    next();
                    continue;
                }
                window -= length;
                windows.merge(stream, -length, Integer::sum);
                left -= length;
                send(RawHttp2.DATA, 0, stream, new byte[length]);
            }
        }

        public void close() throws IOException {
            socket.close();
        }

        /** Answers 200 with a short body. */
        public void ok(int stream) throws IOException {
            head(stream, ":status", "200").send(RawHttp2.DATA, RawHttp2.END_STREAM, stream, (byte) 'o', (byte) 'k');
        }
    }
}
