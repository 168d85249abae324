package io.sigma.dataplane.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;

/** A node on a real socket that sends, byte for byte, what a test wants. */
@SuppressWarnings("ArrayRecordComponent")
public final class TestNode implements AutoCloseable {

    /** A request as it arrived. */
    public record Received(String line, List<String> fields, byte[] body) implements FieldLines {

        public String method() {
            return line.split(" ", -1)[0];
        }

        public String target() {
            return line.split(" ", -1)[1];
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** A connection of the gateway. */
    public record Connection(Socket socket, InputStream in, OutputStream out) {

        public void send(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        public void ok(String body) throws IOException {
            send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        }
    }

    /** What the node does with a request. */
    @FunctionalInterface
    public interface Script {
        void handle(Received request, Connection connection) throws Exception;
    }

    private final ServerSocket server;
    private final Script script;
    private final boolean readBodies;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();

    private TestNode(ServerSocket server, Script script, boolean readBodies) {
        this.server = server;
        this.script = script;
        this.readBodies = readBodies;
        Thread.ofVirtual().start(this::accept);
    }

    /** Answers {@code /bad} with {@code response}, byte for byte, and everything else as it should. */
    public static TestNode answeringBad(String response) {
        return start((request, connection) -> {
            if (request.target().equals("/bad")) {
                connection.send(response);
            } else {
                connection.ok("right");
            }
        });
    }

    public static TestNode start(Script script) {
        return new TestNode(bind(null), script, true);
    }

    /** Starts on a port that another node had before. */
    public static TestNode startOn(int port, Script script) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1024);
            return new TestNode(socket, script, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static TestNode startOn(ServerSocket server, Script script) {
        return new TestNode(server, script, true);
    }

    public static TestNode startIpv6(Script script) {
        try {
            return new TestNode(new ServerSocket(0, 16, InetAddress.ofLiteral("::1")), script, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static TestNode startAt(InetAddress address, int port, Script script) {
        try {
            return new TestNode(new ServerSocket(port, 16, address), script, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static TestNode startTls(SSLContext tls, Script script) {
        return new TestNode(bind(tls), script, true);
    }

    /** Speaks one version of TLS only, such as {@code TLSv1.2}. */
    public static TestNode startTls(SSLContext tls, String version, Script script) {
        ServerSocket server = bind(tls);
        // Before anything accepts: a socket that is accepted has what counted when waiting for it began.
        ((SSLServerSocket) server).setEnabledProtocols(new String[] {version});
        return new TestNode(server, script, true);
    }

    /** As {@link #startHeadsOnly(Script)}, on a socket that is bound. */
    public static TestNode startHeadsOnly(ServerSocket server, Script script) {
        return new TestNode(server, script, false);
    }

    /** Leaves bodies unread, so that the script sees them on the connection. */
    public static TestNode startHeadsOnly(Script script) {
        return new TestNode(bind(null), script, false);
    }

    public static TestNode named(String name) {
        return start((request, connection) -> connection.ok(name));
    }

    private static ServerSocket bind(@Nullable SSLContext tls) {
        try {
            return tls == null
                    ? new ServerSocket(0, 1024, InetAddress.getLoopbackAddress())
                    : tls.getServerSocketFactory().createServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public List<Received> received() {
        return received;
    }

    public Received last() {
        return received.getLast();
    }

    public int accepted() {
        return accepted.get();
    }

    public int openNow() {
        return open.size();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                accepted.incrementAndGet();
                open.add(socket);
                if (server.isClosed()) {
                    // Whoever closed the node may have looked through the open ones before.
                    socket.close();
                }
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            Connection connection =
                    new Connection(socket, new BufferedInputStream(socket.getInputStream()), socket.getOutputStream());
            Received request = read(connection.in);
            while (request != null) {
                received.add(request);
                script.handle(request, connection);
                request = socket.isClosed() ? null : read(connection.in);
            }
        } catch (Exception e) {
            // The gateway, or the script, ended the connection.
        } finally {
            open.remove(socket);
        }
    }

    private @Nullable Received read(InputStream in) throws IOException {
        String line = Wire.readLine(in);
        if (line == null) {
            return null;
        }
        List<String> fields = Wire.readFields(in);
        Received head = new Received(line, fields, new byte[0]);
        if (!readBodies) {
            return head;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if ("chunked".equals(head.field("transfer-encoding"))) {
            Wire.readChunks(in, body);
        } else if (head.field("content-length") != null) {
            int length = Integer.parseInt(String.valueOf(head.field("content-length")));
            byte[] data = in.readNBytes(length);
            if (data.length < length) {
                throw new EOFException("within a body");
            }
            body.write(data);
        }
        return new Received(line, fields, body.toByteArray());
    }

    /** Closes what is open, and goes on. */
    public void closeConnections() throws IOException {
        for (Socket socket : open) {
            try {
                // Closing leaves that to the thread that reads.
                socket.shutdownOutput();
            } catch (SocketException e) {
                // That thread was faster.
            }
            socket.close();
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            closeConnections();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
