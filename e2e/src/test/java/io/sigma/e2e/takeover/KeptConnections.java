package io.sigma.e2e.takeover;

import io.sigma.e2e.Await;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Slow or short requests, one after the other on each connection, until a response says that it is the last. */
final class KeptConnections implements AutoCloseable {

    static final String LAST = "last ";
    static final String LONG = "long requests";
    static final String SHORT = "short requests";
    private static final String LENGTH = "content-length: ";
    private static final int TEXT_MAX = 1_024;
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final long LONG_PAUSE_MILLIS = 300;
    /** Some of many connections send a request in the moment of the take-over. */
    private static final long SHORT_PAUSE_MILLIS = 100;

    private final String what;
    private final byte[] request;
    private final int bodyBytes;
    private final long pauseMillis;
    private final int port;
    private final Losses losses;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean running = true;

    private KeptConnections(String what, int port, Losses losses) {
        boolean slow = what.equals(LONG);
        this.what = what;
        this.request = ("GET /test/" + (slow ? "long" : "short") + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        this.bodyBytes = slow ? Node.PIECES * Node.PIECE_BYTES : Node.SHORT.length();
        this.pauseMillis = slow ? LONG_PAUSE_MILLIS : SHORT_PAUSE_MILLIS;
        this.port = port;
        this.losses = losses;
    }

    /** @param what {@link #LONG} or {@link #SHORT} */
    static KeptConnections start(String what, int port, int count, Losses losses) {
        KeptConnections started = new KeptConnections(what, port, losses);
        for (int i = 0; i < count; i++) {
            started.threads.add(Thread.ofVirtual().start(started::run));
        }
        return started;
    }

    private void run() {
        while (running) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                InputStream in = new BufferedInputStream(socket.getInputStream());
                boolean again = true;
                while (running && again) {
                    socket.getOutputStream().write(request);
                    again = read(in);
                    Thread.sleep(pauseMillis);
                }
            } catch (IOException e) {
                losses.lost(what, e.toString());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Returns whether another request may follow. */
    private boolean read(InputStream in) throws IOException {
        String status = Node.line(in);
        boolean last = false;
        int length = 0;
        for (String field = Node.line(in); !field.isEmpty(); field = Node.line(in)) {
            String lower = field.toLowerCase(Locale.ROOT);
            last |= lower.equals("connection: close");
            length = lower.startsWith(LENGTH) ? Integer.parseInt(lower.substring(LENGTH.length())) : length;
        }
        int bytes = status.startsWith("HTTP/1.1 200 ") ? in.readNBytes(bodyBytes).length : 0;
        if (bytes == bodyBytes) {
            losses.served(last ? LAST + what : what);
            return !last;
        }
        String text = bytes == 0 ? new String(in.readNBytes(Math.min(length, TEXT_MAX)), StandardCharsets.UTF_8) : "";
        losses.lost(what, "\"" + status + "\" and " + bytes + " bytes " + text.strip());
        return false;
    }

    /** Begins no more, and waits until the last ones have ended. */
    @Override
    public void close() {
        running = false;
        for (Thread thread : threads) {
            Await.ended(thread);
        }
    }
}
