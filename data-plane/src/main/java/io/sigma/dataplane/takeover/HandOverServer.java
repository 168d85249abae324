package io.sigma.dataplane.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The side of the process whose place another one may take. One at a time is served, on a thread of its own, and others
 * are refused meanwhile. Whatever that one does wrong, this process goes on. Thread-safe.
 */
public final class HandOverServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HandOverServer.class);
    /** The pause after a failed accept, in milliseconds. */
    private static final long PAUSE_MILLIS = 1_000;

    /** The largest number of further revisions that the other process is notified of. */
    private static final int REVISIONS_MAX = 100;

    /** The longest that another process waits for its turn before it is refused, in milliseconds. */
    private static final long TURN_MILLIS = 1_000;

    /** The longest that the other process takes until it listens, in milliseconds. */
    private static final long SUCCESSOR_MILLIS = 5_000;

    private static final long SUCCESSOR_PAUSE_MILLIS = 20;

    /** The pause until it is tried again to listen, in milliseconds. */
    private static final long LISTEN_MILLIS = 10_000;

    private final Path dataDir;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Null while the data directory takes none. Guarded by this. */
    private @Nullable ControlSocket socket;
    /** Of the process that is served, which keeps it when it has taken over. */
    private final Semaphore turn = new Semaphore(1);

    private final HandOver handOver;
    private final String version;
    private final Runnable left;

    private HandOverServer(Path dataDir, HandOver handOver, String version, Runnable left) {
        this.dataDir = dataDir;
        this.handOver = handOver;
        this.version = version;
        this.left = left;
    }

    /**
     * Listens in a data directory. Where that is not possible, as on a full disk, it is tried again.
     *
     * @param version of this build
     * @param replaces whether to take the place of a process that listens there, as after a take-over
     * @param left called when another process has taken over; not on an event loop
     * @return null when another process listens there, which stays the one to take over from
     */
    public static @Nullable HandOverServer open(
            Path dataDir, HandOver handOver, String version, boolean replaces, Runnable left) {
        if (!replaces && ControlSocket.isListening(dataDir)) {
            return null;
        }
        HandOverServer server = new HandOverServer(dataDir, handOver, version, left);
        server.listen();
        Thread.ofPlatform().daemon().name("sigma-hand-over-wait").start(server::run);
        return server;
    }

    private synchronized void listen() {
        if (closed.getCount() == 0) {
            return;
        }
        try {
            socket = ControlSocket.listen(dataDir);
        } catch (IOException e) {
            LOG.warn("No other process can take the place of this one yet: {}", e.toString());
        }
    }

    private synchronized @Nullable ControlSocket socket() {
        return socket;
    }

    private void run() {
        ControlSocket listening = socket();
        try {
            while (listening == null && !closed.await(LISTEN_MILLIS, TimeUnit.MILLISECONDS)) {
                listen();
                listening = socket();
            }
            while (listening != null) {
                serveNext(listening);
            }
        } catch (ControlSocket.ClosedSocket e) {
            LOG.debug("No process takes over any more");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (listening != null) {
                listening.release();
            }
        }
    }

    private void serveNext(ControlSocket listening) throws ControlSocket.ClosedSocket {
        ControlConnection connection = accept(listening);
        if (connection == null) {
            return;
        }
        if (isItsTurn()) {
            try {
                Thread.ofPlatform().daemon().name("sigma-hand-over").start(() -> serveOne(connection));
            } catch (RuntimeException | Error e) {
                turn.release();
                connection.close();
                LOG.error("Nothing was handed over, and this gateway goes on", e);
                pause();
            }
        } else {
            refuseAnother(connection);
        }
    }

    /** One that has given up may not be noticed yet. */
    private boolean isItsTurn() {
        try {
            return turn.tryAcquire(TURN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void refuseAnother(ControlConnection connection) {
        try (connection) {
            receive(connection, Kind.HELLO, TURN_MILLIS);
            refuse(connection, "another process takes its place just now");
        } catch (IOException | RuntimeException e) {
            LOG.debug("Another process could not be refused", e);
        }
    }

    private void serveOne(ControlConnection connection) {
        boolean handedOver = false;
        try (connection) {
            handedOver = serve(connection);
        } catch (IOException e) {
            LOG.warn("Nothing was handed over, and this gateway goes on: {}", e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.error("Nothing was handed over, and this gateway goes on", e);
        } finally {
            if (!handedOver) {
                turn.release();
            }
        }
        if (handedOver) {
            awaitSuccessor();
            left.run();
        }
    }

    /**
     * Listens until the other process does: who finds nobody at the socket would start as if no gateway served. If that
     * one has died, the next one finds nobody soon.
     */
    private void awaitSuccessor() {
        ControlSocket listening = socket();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SUCCESSOR_MILLIS);
        try {
            while (listening != null
                    && !listening.isReplaced()
                    && System.nanoTime() - end < 0
                    && !closed.await(SUCCESSOR_PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                listening = socket();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    private static @Nullable ControlConnection accept(ControlSocket listening) throws ControlSocket.ClosedSocket {
        try {
            return listening.accept();
        } catch (ControlSocket.ClosedSocket e) {
            throw e;
        } catch (IOException e) {
            LOG.warn("No process could ask for the sockets: {}", e.getMessage());
            pause();
            return null;
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the other process has taken over. */
    private boolean serve(ControlConnection connection) throws IOException {
        JsonNode hello = receive(connection, Kind.HELLO, Protocol.ANSWER_MILLIS);
        int loops = hello.path("loops").asInt();
        String refusal = refusal(hello, loops);
        if (refusal != null) {
            refuse(connection, refusal);
            return false;
        }
        LOG.info(
                "A gateway of version {} asks for the sockets",
                hello.path("version").asText());
        offer(connection, loops);
        return awaitReady(connection, loops) && awaitTaken(connection);
    }

    private static void refuse(ControlConnection connection, String refusal) throws IOException {
        LOG.warn("Nothing is handed over: {}", refusal);
        connection.send(Kind.REFUSED, Protocol.body().put("detail", refusal), List.of(), Protocol.ANSWER_MILLIS);
    }

    private @Nullable String refusal(JsonNode hello, int loops) {
        if (!Protocol.isSpoken(hello)) {
            return "protocols " + hello.path("protocols") + " (expected: " + Protocol.VERSION + " among them)";
        }
        if (loops < 1 || loops > Protocol.LOOPS_MAX) {
            return "%d event loops (expected: 1..%d)".formatted(loops, Protocol.LOOPS_MAX);
        }
        return handOver.refusal();
    }

    private void offer(ControlConnection connection, int loops) throws IOException {
        Map<String, List<Integer>> sockets = handOver.sockets(loops);
        new Offer(handOver.serving(), sockets).send(connection, version);
    }

    private boolean awaitReady(ControlConnection connection, int loops) throws IOException {
        for (int i = 0; i < REVISIONS_MAX; i++) {
            Serving ready = Serving.of(receive(connection, Kind.READY, Protocol.READY_MILLIS));
            Serving serving = handOver.serving();
            if (serving == null || serving.equals(ready)) {
                sendState(connection);
                return true;
            }
            ObjectNode other = Protocol.body();
            serving.put(other);
            connection.send(Kind.OTHER_REVISION, other, List.of(), Protocol.ANSWER_MILLIS);
            offer(connection, loops);
        }
        throw new IOException("another revision each time");
    }

    private void sendState(ControlConnection connection) throws IOException {
        JsonNode state = handOver.state();
        if (Json.bytes(state).length > ControlConnection.BYTES_MAX) {
            LOG.warn("The state of this gateway is too large to be handed over; the next one begins without it");
            state = Protocol.body();
        }
        connection.send(Kind.STATE, state, List.of(), Protocol.ANSWER_MILLIS);
    }

    private boolean awaitTaken(ControlConnection connection) throws IOException {
        receive(connection, Kind.TAKEN, Protocol.READY_MILLIS);
        // The other process accepts: from here on nothing leads back.
        LOG.info("Another process accepts; this one ends its connections");
        try {
            handOver.leave();
        } catch (RuntimeException e) {
            LOG.error("Not everything could be ended properly", e);
        }
        try {
            connection.send(Kind.LEFT, Protocol.body(), List.of(), Protocol.ANSWER_MILLIS);
        } catch (IOException e) {
            LOG.warn("The other process does not listen any more: {}", e.getMessage());
        }
        return true;
    }

    private static JsonNode receive(ControlConnection connection, Kind expected, long millisMax) throws IOException {
        ControlConnection.Message message = connection.receive(millisMax);
        message.descriptors().forEach(Kernel::close);
        Protocol.expect(expected, message.kind());
        return message.body();
    }

    /** Serves nobody any more. */
    @Override
    public synchronized void close() {
        closed.countDown();
        if (socket != null) {
            socket.close();
        }
    }
}
