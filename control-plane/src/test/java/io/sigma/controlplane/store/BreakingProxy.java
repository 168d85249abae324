package io.sigma.controlplane.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a client and PostgreSQL, and breaks the connection on which it sees COMMIT. */
final class BreakingProxy implements AutoCloseable {

    private enum Mode {
        FORWARD,
        BREAK_BEFORE_COMMIT,
        BREAK_AFTER_COMMIT,
        BREAK_FOR_GOOD
    }

    private static final int BUFFER_BYTES = 64 * 1024;

    private final int target;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private volatile Mode mode = Mode.FORWARD;
    private volatile boolean broken;
    private volatile boolean silent;
    private final AtomicInteger breaks = new AtomicInteger(1);
    private volatile CountDownLatch held = new CountDownLatch(0);

    BreakingProxy(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** PostgreSQL does not receive the next COMMIT. */
    void breakBeforeCommit() {
        mode = Mode.BREAK_BEFORE_COMMIT;
    }

    /** PostgreSQL commits next time; the client does not hear of it. */
    void breakAfterCommit() {
        mode = Mode.BREAK_AFTER_COMMIT;
    }

    /** As {@link #breakAfterCommit}, so many times. */
    void breakAfterCommits(int times) {
        breaks.set(times);
        mode = Mode.BREAK_AFTER_COMMIT;
    }

    /** Connections are taken, and nothing is passed on over new ones until {@link #pass()}. */
    void hold() {
        held = new CountDownLatch(1);
    }

    /** Every connection stays open, and nothing passes over any of them, as with a server that hangs. */
    void silence() {
        hold();
        silent = true;
    }

    void pass() {
        held.countDown();
    }

    /** As {@link #breakAfterCommit}, and every other connection ends with it, and no new one is taken. */
    void breakAfterCommitForGood() {
        mode = Mode.BREAK_FOR_GOOD;
    }

    /** Every connection ends, and no new one is taken. */
    void goAway() throws IOException {
        mode = Mode.BREAK_FOR_GOOD;
        broken = true;
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    boolean broken() {
        return broken;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                sockets.add(client);
                if (gone()) {
                    client.close();
                    continue;
                }
                CountDownLatch held = this.held;
                Thread.ofVirtual().start(() -> {
                    try {
                        held.await();
                        Socket database = new Socket(InetAddress.getLoopbackAddress(), target);
                        sockets.add(database);
                        Thread.ofVirtual().start(() -> pump(client, database, true));
                        pump(database, client, false);
                    } catch (IOException | InterruptedException e) {
                        // The proxy was closed.
                    }
                });
            }
        } catch (IOException e) {
            // The proxy was closed.
        }
    }

    private void pump(Socket from, Socket to, boolean requests) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int length = in.read(buffer);
            while (length > 0) {
                boolean commit = requests
                        && mode != Mode.FORWARD
                        && breaks.get() > 0
                        && hasCommit(buffer, length)
                        && breaks.getAndDecrement() > 0;
                if (commit && mode == Mode.BREAK_BEFORE_COMMIT) {
                    broken = true;
                    return;
                }
                if (commit) {
                    broken = true;
                    // The client's half is gone before the answer can be: nothing reads from the database's half any
                    // more.
                    out.write(buffer, 0, length);
                    out.flush();
                    from.close();
                    if (gone()) {
                        closeAllBut(to);
                    }
                    awaitAnswer(to);
                    return;
                }
                if (!silent) {
                    out.write(buffer, 0, length);
                    out.flush();
                }
                length = in.read(buffer);
            }
        } catch (IOException e) {
            // One of the two ended.
        }
    }

    private boolean gone() {
        return broken && mode == Mode.BREAK_FOR_GOOD;
    }

    private void closeAllBut(Socket kept) throws IOException {
        for (Socket socket : sockets) {
            if (!socket.equals(kept)) {
                socket.close();
            }
        }
    }

    /** Leaves PostgreSQL the time to commit: closing at once could be seen before COMMIT is. */
    private static void awaitAnswer(Socket database) throws IOException {
        database.shutdownOutput();
        InputStream in = database.getInputStream();
        while (in.read() >= 0) {
            // Until PostgreSQL ends the connection.
        }
    }

    private static boolean hasCommit(byte[] buffer, int length) {
        return new String(buffer, 0, length, StandardCharsets.ISO_8859_1).contains("COMMIT");
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
