package io.sigma.e2e.takeover;

import io.sigma.e2e.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Open connections of TCP, on each of which messages go to and fro until it is closed. One virtual thread each. */
final class TcpConnections implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 30_000;
    private static final long PAUSE_MILLIS = 20;

    private final Losses losses;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean running = true;

    private TcpConnections(Losses losses) {
        this.losses = losses;
    }

    static TcpConnections open(int port, int count, Losses losses) throws IOException {
        TcpConnections opened = new TcpConnections(losses);
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            // The node has it before the take-over begins.
            opened.exchange(socket, "hello");
            opened.threads.add(Thread.ofVirtual().start(() -> opened.run(socket)));
        }
        return opened;
    }

    private void run(Socket socket) {
        try (socket) {
            for (int i = 0; running; i++) {
                exchange(socket, "message " + i);
                Thread.sleep(PAUSE_MILLIS);
            }
            // The last message and the end come together.
            byte[] last = "x".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(last);
            socket.shutdownOutput();
            int rest = socket.getInputStream().readAllBytes().length;
            if (rest == last.length) {
                losses.served("whole connections of TCP");
            } else {
                losses.lost("TCP", rest + " bytes at the end (expected: " + last.length + ")");
            }
        } catch (IOException e) {
            losses.lost("TCP", e.toString());
        } catch (InterruptedException e) {
            return;
        }
    }

    private void exchange(Socket socket, String text) throws IOException {
        byte[] sent = text.getBytes(StandardCharsets.US_ASCII);
        socket.getOutputStream().write(sent);
        String answer = new String(socket.getInputStream().readNBytes(sent.length), StandardCharsets.US_ASCII);
        if (!answer.equals(text)) {
            throw new IOException("\"" + answer + "\" (expected: \"" + text + "\")");
        }
        losses.served("messages of TCP");
    }

    /** Ends all of them by halves, and waits until they have ended. */
    @Override
    public void close() {
        running = false;
        for (Thread thread : threads) {
            Await.ended(thread);
        }
    }
}
