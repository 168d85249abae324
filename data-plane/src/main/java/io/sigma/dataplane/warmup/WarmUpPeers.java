package io.sigma.dataplane.warmup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clients and the node of a warm-up, over loopback sockets. Confined to the thread that made it, which
 * {@link #run} blocks.
 */
public final class WarmUpPeers implements AutoCloseable {

    private static final int MESSAGE_BYTES_MAX = 32 * 1024;
    private static final int CLIENTS = 16;
    /** Then a client closes its connection and opens another one. */
    private static final int REQUESTS_OF_CONNECTION = 200;

    private static final int LONG_BYTES = 2_000;
    private static final long NANOS_OF_MILLI = 1_000_000;
    private static final long LAST_ANSWERS_NANOS = 1_000_000_000;

    private static final byte[] SHORT_ANSWER = answer("{\"id\":42,\"name\":\"warm-up\",\"price\":1.5}");
    private static final byte[] LONG_ANSWER = answer("[" + "\"warm-up\",".repeat(LONG_BYTES / 10) + "0]");

    @SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
    private static final byte[] CHUNKED_ANSWER = ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n8\r\n[\"warm\",\r\n5\r\n\"up\"]\r\n0\r\n\r\n")
            .getBytes(ISO_8859_1);

    private final Selector selector;
    private final ServerSocketChannel node;
    private final List<SocketChannel> open = new ArrayList<>();
    private int requestsMax;
    private long untilNanos;
    private int sent;
    private int good;
    private int bad;
    private @Nullable IOException failure;

    /** The counts of good and bad answers. */
    public record Result(int good, int bad) {}

    /** A reader of a socket. */
    private interface Reader {
        void read() throws IOException;
    }

    /** Listens as a node. */
    public WarmUpPeers() throws IOException {
        selector = Selector.open();
        node = ServerSocketChannel.open();
        node.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        node.configureBlocking(false);
        node.register(selector, SelectionKey.OP_ACCEPT, (Reader) this::accept);
    }

    /** Returns the port of the node. */
    public int nodePort() {
        return ((InetSocketAddress) node.socket().getLocalSocketAddress()).getPort();
    }

    /**
     * Sends requests, each client one at a time, until there were enough or it is time. Then waits up to a second for
     * the last answers.
     *
     * @param port where the gateway listens
     * @param untilNanos by {@link System#nanoTime()}
     * @throws IOException when the gateway ends a connection
     */
    public Result run(int port, List<WarmUpRequest> requests, int requestsMax, long untilNanos) throws IOException {
        this.requestsMax = requestsMax;
        this.untilNanos = untilNanos;
        InetSocketAddress gateway = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        for (int i = 0; i < CLIENTS; i++) {
            new Client(gateway, requests, i).open();
        }
        long left = untilNanos + LAST_ANSWERS_NANOS - System.nanoTime();
        while (left > 0 && good + bad < sent) {
            selector.select(key -> read((Reader) key.attachment()), Math.ceilDiv(left, NANOS_OF_MILLI));
            if (failure != null) {
                throw failure;
            }
            left = untilNanos + LAST_ANSWERS_NANOS - System.nanoTime();
        }
        return new Result(good, bad);
    }

    private boolean isEnough() {
        return sent >= requestsMax || System.nanoTime() - untilNanos >= 0;
    }

    private void read(Reader reader) {
        try {
            reader.read();
        } catch (IOException e) {
            failure = e;
        }
    }

    private void accept() throws IOException {
        SocketChannel channel = node.accept();
        if (channel != null) {
            new Answering(channel).register();
        }
    }

    /** An end of a connection, whose messages come one at a time. */
    private abstract class End implements Reader {

        private final byte[] octets = new byte[MESSAGE_BYTES_MAX];
        private int filled;

        abstract SocketChannel channel();

        /** Takes the message that is the first {@code length} of {@code message}. */
        abstract void take(byte[] message, int length) throws IOException;

        /** The other side has closed the connection. */
        abstract void ended() throws IOException;

        final void register() throws IOException {
            filled = 0;
            open.add(channel());
            channel().configureBlocking(false);
            channel().register(selector, SelectionKey.OP_READ, this);
        }

        final void write(byte[] message) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(message);
            // Far less than the buffer of a socket whose other end has read everything before.
            while (buffer.hasRemaining()) {
                if (channel().write(buffer) == 0) {
                    throw new IOException("a message of the warm-up does not fit into a socket");
                }
            }
        }

        final void close() throws IOException {
            open.remove(channel());
            channel().close();
        }

        @Override
        public final void read() throws IOException {
            int more = channel().read(ByteBuffer.wrap(octets, filled, octets.length - filled));
            if (more < 0) {
                ended();
                return;
            }
            filled += more;
            int length = WarmUpMessage.length(octets, filled);
            if (length < 0 && filled == octets.length) {
                throw new IOException("a message of the warm-up is too long");
            }
            if (length >= 0) {
                filled -= length;
                take(octets, length);
            }
        }
    }

    private final class Client extends End {

        private final InetSocketAddress gateway;
        private final List<WarmUpRequest> requests;
        private int next;
        private WarmUpRequest asked;
        private int sentHere;
        private SocketChannel channel;

        Client(InetSocketAddress gateway, List<WarmUpRequest> requests, int first) throws IOException {
            this.gateway = gateway;
            this.requests = requests;
            this.next = first;
            this.asked = requests.getFirst();
            this.channel = SocketChannel.open();
        }

        @Override
        SocketChannel channel() {
            return channel;
        }

        void open() throws IOException {
            channel.connect(gateway);
            register();
            sentHere = 0;
            send();
        }

        private void send() throws IOException {
            sent++;
            sentHere++;
            asked = requests.get(next % requests.size());
            next++;
            write(asked.octets());
        }

        @Override
        void take(byte[] message, int length) throws IOException {
            if (asked.isAnswer(message)) {
                good++;
            } else {
                bad++;
            }
            boolean last = asked.isLast() || sentHere == REQUESTS_OF_CONNECTION;
            if (last) {
                close();
            }
            if (isEnough()) {
                return;
            }
            if (last) {
                channel = SocketChannel.open();
                open();
            } else {
                send();
            }
        }

        @Override
        void ended() throws IOException {
            throw new IOException("the gateway ended a connection of the warm-up");
        }
    }

    private final class Answering extends End {

        private final SocketChannel channel;

        Answering(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        SocketChannel channel() {
            return channel;
        }

        @Override
        void take(byte[] message, int length) throws IOException {
            int lineEnd = new String(message, 0, length, ISO_8859_1).indexOf('\r');
            String line = new String(message, 0, lineEnd, ISO_8859_1);
            if (line.contains(WarmUpConfiguration.LONG)) {
                write(LONG_ANSWER);
            } else {
                write(line.contains(WarmUpConfiguration.CHUNKS) ? CHUNKED_ANSWER : SHORT_ANSWER);
            }
        }

        @Override
        void ended() throws IOException {
            close();
        }
    }

    private static byte[] answer(String body) {
        return ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                        + body)
                .getBytes(ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : open) {
            channel.close();
        }
        node.close();
        selector.close();
    }
}
