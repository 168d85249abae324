package io.sigma.dataplane.testkit;

import java.io.BufferedInputStream;
import java.io.Closeable;
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
 * A node that does so many requests a second, some at a time, in the order in which they came. It works on a request to
 * its end whether or not somebody still waits for it, as most applications do.
 */
public final class PacedNode implements AutoCloseable {

    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

    private interface Answer {
        void send() throws IOException;
    }

    private final Closeable server;
    private final String url;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Semaphore workers;
    private final long millis;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger insideMax = new AtomicInteger();

    /**
     * @param overHttp2 whether it speaks HTTP/2, HTTP/1.1 otherwise
     * @param atATime requests that it works on at a time
     * @param millis that each takes
     */
    public PacedNode(boolean overHttp2, int atATime, long millis) {
        this.workers = new Semaphore(atATime, true);
        this.millis = millis;
        if (overHttp2) {
            FrameNode node = FrameNode.start((request, connection) ->
                    Thread.ofVirtual().start(() -> tryWork(() -> connection.ok(request.stream()))));
            this.server = node;
            this.url = node.url();
        } else {
            try {
                ServerSocket socket = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress());
                this.server = socket;
                this.url = "http://127.0.0.1:" + socket.getLocalPort();
                Thread.ofVirtual().start(() -> accept(socket));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    public String url() {
        return url;
    }

    /** Returns how many requests came. */
    public int begun() {
        return begun.get();
    }

    /** Returns how many requests it had at a time at most, those included that nobody waited for any more. */
    public int insideMax() {
        return insideMax.get();
    }

    private void accept(ServerSocket listening) {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
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
                work(() -> socket.getOutputStream().write(ANSWER));
            }
        } catch (IOException e) {
            // The gateway closed the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    private void work(Answer answer) throws IOException, InterruptedException {
        begun.incrementAndGet();
        insideMax.accumulateAndGet(inside.incrementAndGet(), Math::max);
        workers.acquire();
        try {
            Thread.sleep(millis);
        } finally {
            workers.release();
            inside.decrementAndGet();
        }
        answer.send();
    }

    private void tryWork(Answer answer) {
        try {
            work(answer);
        } catch (IOException e) {
            // The gateway closed the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
