package io.sigma.e2e.takeover;

import io.sigma.e2e.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/** Opens a connection for each request, so many a second, whatever becomes of the ones before. One thread. */
final class NewConnections implements AutoCloseable {

    private static final byte[] REQUEST = "GET /test/short HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII);
    static final String SERVED = "new connections";
    static final String BUSY = "new connections while the node was busy";
    static final List<String> EACH = List.of(SERVED, BUSY);
    private static final String BUSY_TEXT = "The upstream has more requests than it answers in time.\n";
    private static final int OPEN_MAX = 8_000;
    private static final long LATE_NANOS = 20_000_000_000L;
    /** Ports of one address would not do. */
    private static final int ADDRESSES = 16;

    private final int port;
    private final int perSecond;
    private final Losses losses;
    private final Selector selector = Selector.open();
    private final ByteBuffer buffer = ByteBuffer.allocate(8_192);
    private final Thread thread;
    private volatile boolean running = true;
    private int address;

    /** A connection: its received bytes, and the time of its opening. */
    private static final class Open {
        private final StringBuilder received = new StringBuilder();
        private final long since = System.nanoTime();
    }

    private NewConnections(int port, int perSecond, Losses losses) throws IOException {
        this.port = port;
        this.perSecond = perSecond;
        this.losses = losses;
        this.thread = Thread.ofPlatform().daemon().name("new-connections").unstarted(this::run);
    }

    static NewConnections start(int port, int perSecond, Losses losses) throws IOException {
        NewConnections started = new NewConnections(port, perSecond, losses);
        started.thread.start();
        return started;
    }

    private void run() {
        try (selector) {
            long began = System.nanoTime();
            long opened = 0;
            while (running || !selector.keys().isEmpty()) {
                long due = (System.nanoTime() - began) * perSecond / 1_000_000_000L;
                while (running && opened < due && selector.keys().size() < OPEN_MAX) {
                    open();
                    opened++;
                }
                // What could not be opened in time is not caught up on.
                opened = Math.max(opened, due - perSecond);
                selector.select(this::ready, 1);
                endLate();
            }
        } catch (IOException | RuntimeException e) {
            losses.lost("load", e.toString());
        }
    }

    private void open() throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            address = (address + 1) % ADDRESSES;
            channel.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) address}), 0));
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.register(selector, SelectionKey.OP_CONNECT, new Open());
        } catch (IOException e) {
            losses.lost("refused", e.toString());
            channel.close();
        }
    }

    private void ready(SelectionKey key) {
        Open open = (Open) key.attachment();
        SocketChannel channel = (SocketChannel) key.channel();
        String step = "refused";
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                step = "reset";
                key.interestOps(SelectionKey.OP_READ);
                channel.write(ByteBuffer.wrap(REQUEST));
            } else if (key.isReadable()) {
                step = "reset";
                buffer.clear();
                int read = channel.read(buffer);
                if (read < 0) {
                    ended(open.received.toString());
                    losses.waited((System.nanoTime() - open.since) / 1_000_000);
                    channel.close();
                } else {
                    open.received.append(StandardCharsets.US_ASCII.decode(buffer.flip()));
                }
            }
        } catch (IOException e) {
            losses.lost(step, e + " after " + open.received.length() + " bytes");
            close(channel);
        }
    }

    private void ended(String received) {
        if (received.startsWith("HTTP/1.1 200 ") && received.endsWith(Node.SHORT)) {
            losses.served(SERVED);
        } else if (received.startsWith("HTTP/1.1 503 ") && received.endsWith(BUSY_TEXT)) {
            // A machine that is busy: the gateway has said so, in a whole response.
            losses.served(BUSY);
        } else {
            losses.lost("truncated", "\"" + received + "\"");
        }
    }

    private void endLate() {
        long now = System.nanoTime();
        for (Iterator<SelectionKey> keys = selector.keys().iterator(); keys.hasNext(); ) {
            SelectionKey key = keys.next();
            if (key.isValid() && now - ((Open) key.attachment()).since > LATE_NANOS) {
                losses.lost("late", "no answer after 20 s");
                close((SocketChannel) key.channel());
            }
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException("closing a socket fails", e);
        }
    }

    /** Opens no more, and waits until the last ones have ended. */
    @Override
    public void close() {
        running = false;
        Await.ended(thread);
    }
}
