package io.sigma.dataplane;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A node that does so many requests a second, some at a time, in the order in which they came. It works on a request to its end
 * whether or not its connection is still there, as most applications do.
 */
final class PacedNode implements AutoCloseable {

    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Semaphore workers;
    private final long millis;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger insideMax = new AtomicInteger();

    /**
     * @param atATime requests that it works on at a time
     * @param millis that each takes
     */
    PacedNode(int atATime, long millis) {
        this.workers = new Semaphore(atATime, true);
        this.millis = millis;
        try {
            this.server = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** Returns how many requests came. */
    int begun() {
        return begun.get();
    }

    /** Returns how many requests it had at a time at most, those included that nobody waited for any more. */
    int insideMax() {
        return insideMax.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (Wire.readLine(in) != null) {
                Wire.readFields(in);
                begun.incrementAndGet();
                insideMax.accumulateAndGet(inside.incrementAndGet(), Math::max);
                workers.acquire();
                try {
                    Thread.sleep(millis);
                } finally {
                    workers.release();
                    inside.decrementAndGet();
                }
                socket.getOutputStream().write(ANSWER);
            }
        } catch (IOException e) {
            // The gateway closed the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
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
