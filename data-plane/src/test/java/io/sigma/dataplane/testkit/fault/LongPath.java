package io.sigma.dataplane.testkit.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A path to a port on which everything takes a while, and as much as wanted can be under way. */
@SuppressWarnings("ArrayRecordComponent")
public final class LongPath implements AutoCloseable {

    private static final int PIECE_BYTES = 64 * 1024;

    /** What arrives at {@code nanos}; nothing for the end. */
    private record Piece(byte[] data, long nanos) {}

    private final ServerSocket server;
    private final int port;
    private final long nanos;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong peak = new AtomicLong();

    /**
     * @param millis that everything takes one way
     */
    public LongPath(int port, long millis) {
        this.port = port;
        this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            this.server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Returns the near end. */
    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket near = server.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), port);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                open.add(near);
                open.add(far);
                join(near, far, new UnderWay());
                join(far, near, null);
            } catch (IOException e) {
                // A test closes either end when it is done, which is not a failure of the path.
            }
        }
    }

    /**
     * Returns the most that was under way to the port at a time, in bytes: what its windows let a client send in a
     * round trip.
     */
    public long peak() {
        return peak.get();
    }

    /** Begins again to look for the most. */
    public void forgetPeak() {
        peak.set(0);
    }

    private final class UnderWay {

        private final AtomicLong bytes = new AtomicLong();

        void add(int more) {
            long now = bytes.addAndGet(more);
            peak.accumulateAndGet(now, Math::max);
        }
    }

    private void join(Socket from, Socket to, @Nullable UnderWay counted) {
        BlockingQueue<Piece> under = new LinkedBlockingQueue<>();
        Thread.ofVirtual().start(() -> {
            byte[] buffer = new byte[PIECE_BYTES];
            int length = 0;
            while (length >= 0) {
                length = read(from, buffer);
                if (counted != null) {
                    counted.add(Math.max(0, length));
                }
                under.add(new Piece(Arrays.copyOf(buffer, Math.max(0, length)), System.nanoTime() + nanos));
            }
        });
        Thread.ofVirtual().start(() -> {
            try (to) {
                OutputStream out = to.getOutputStream();
                for (Piece next = under.take(); next.data().length > 0; next = under.take()) {
                    TimeUnit.NANOSECONDS.sleep(next.nanos() - System.nanoTime());
                    out.write(next.data());
                    if (counted != null) {
                        counted.add(-next.data().length);
                    }
                }
            } catch (IOException | InterruptedException e) {
                // One end is gone, and so is the other one now.
            }
        });
    }

    private static int read(Socket from, byte[] buffer) {
        try {
            InputStream in = from.getInputStream();
            return in.read(buffer);
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
