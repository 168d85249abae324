package io.sigma.dataplane.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A node of TCP that does with each connection what a test wants, and closes it after that. */
public final class SocketNode implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 15_000;

    /** What is done with a connection, on a thread of its own. */
    public interface Script {
        void run(Socket socket) throws Exception;
    }

    private final ServerSocket listening;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();

    private SocketNode(ServerSocket listening, Script script) {
        this.listening = listening;
        Thread.ofVirtual().start(() -> accept(script));
    }

    public static SocketNode start(Script script) {
        return start(null, script);
    }

    /** Starts one that speaks TLS if there is a context. */
    public static SocketNode start(@Nullable SSLContext tls, Script script) {
        try {
            ServerSocket socket = tls == null
                    ? new ServerSocket()
                    : tls.getServerSocketFactory().createServerSocket();
            socket.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
            return new SocketNode(socket, script);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Sends back what arrives, until the peer ends. */
    public static SocketNode echo() {
        return start(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
    }

    /** Says its name at once, as servers of mail do, and ends. */
    public static SocketNode greeting(String name) {
        return start(socket -> {
            socket.getOutputStream().write(name.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        });
    }

    private void accept(Script script) {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                accepted.incrementAndGet();
                open.add(socket);
                socket.setSoTimeout(TIMEOUT_MILLIS);
                Thread.ofVirtual().start(() -> run(script, socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void run(Script script, Socket socket) {
        try (socket) {
            script.run(socket);
        } catch (Exception e) {
            // What a test looks at is what its client sees.
            open.remove(socket);
        }
    }

    public int port() {
        return listening.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Returns how many connections came. */
    public int accepted() {
        return accepted.get();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
