package io.sigma.bench.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A line from a gateway to a control plane which can be cut, so that the gateway hears nothing. Thread-safe. */
final class Line implements AutoCloseable {

    private static final int WAITING_MAX = 16;

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private volatile boolean cut;

    private Line(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    /** Returns a line to a port of this machine. */
    static Line to(int target) throws IOException {
        Line line = new Line(new ServerSocket(0, WAITING_MAX, InetAddress.getLoopbackAddress()), target);
        Thread.ofVirtual().start(line::accept);
        return line;
    }

    /** Returns the port at which the line begins. */
    int port() {
        return server.getLocalPort();
    }

    /** Ends all connections, and each that is begun, until {@link #mend}. */
    void cut() {
        cut = true;
        open.forEach(Line::close);
    }

    void mend() {
        cut = false;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket near = server.accept();
                if (cut) {
                    near.close();
                    continue;
                }
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                open.add(near);
                open.add(far);
                Thread.ofVirtual().start(() -> copy(near, far));
                Thread.ofVirtual().start(() -> copy(far, near));
            } catch (IOException e) {
                // The control plane is away, or the line is closed: whoever connects tries again.
            }
        }
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One end is gone, and so is the other one.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
