package io.sigma.e2e.chaos;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A node of HTTP/1.1 that answers well or badly, by the last segment of the path; {@code answer} lists them. Each
 * connection has a virtual thread.
 */
final class ChaosNode implements Closeable {

    private static final int BACKLOG = 4_096;
    private static final int MEDIUM_BYTES = 256 * 1024;
    private static final int BIG_BYTES = 8 * 1024 * 1024;
    private static final long SILENCE_MILLIS = 120_000;
    private static final byte[] BLOCK = new byte[16 * 1024];

    static {
        Arrays.fill(BLOCK, (byte) 'b');
    }

    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private ChaosNode(ServerSocket server) {
        this.server = server;
    }

    static ChaosNode start() throws IOException {
        ChaosNode node = new ChaosNode(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
        Thread.ofPlatform().daemon().name("node").start(node::accept);
        return node;
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                // Closed, or out of descriptors for a moment.
                Thread.onSpinWait();
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            Connection connection = new Connection(socket);
            while (connection.request()) {
                connection.answer();
            }
        } catch (IOException e) {
            // The gateway went.
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

    /** A connection of the gateway. */
    private static final class Connection {

        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private String path = "";
        private long length;
        private boolean chunked;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
            this.out = socket.getOutputStream();
        }

        /** Reads the head of the next request; false at the end of the connection. */
        boolean request() throws IOException {
            String line = line();
            if (line.isEmpty()) {
                return false;
            }
            path = line.split(" ", 3)[1];
            length = 0;
            chunked = false;
            for (String field = line(); !field.isEmpty(); field = line()) {
                String lower = field.toLowerCase(Locale.ROOT);
                if (lower.startsWith("content-length:")) {
                    length = Long.parseLong(lower.substring(15).strip());
                } else if (lower.startsWith("transfer-encoding:")) {
                    chunked = true;
                }
            }
            return true;
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
                if (b != '\r') {
                    line.append((char) b);
                }
            }
            return line.toString();
        }

        void answer() throws IOException {
            switch (path.substring(path.lastIndexOf('/') + 1).split("\\?", 2)[0]) {
                case "small" -> whole("small".getBytes(StandardCharsets.US_ASCII));
                case "echo" -> whole(String.valueOf(body()).getBytes(StandardCharsets.US_ASCII));
                case "medium" -> large(MEDIUM_BYTES);
                case "big" -> large(BIG_BYTES);
                case "socket" -> tunnel(false);
                case "socket-flood" -> tunnel(true);
                // Neither reads nor answers, as long as the gateway waits.
                case "deaf", "socket-deaf" -> deaf();
                case "endless-head" -> forever("HTTP/1.1 200 OK\r\n", "x-more: and more\r\n".repeat(64));
                case "endless-field" -> forever("HTTP/1.1 200 OK\r\nx-long: ", "and more ".repeat(128));
                case "endless-interim" -> forever("", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(32));
                case "endless-trailers" -> forever(chunkedHead() + "0\r\n", "x-more: and more\r\n".repeat(64));
                case "endless-extension" -> forever(chunkedHead() + "1;", "extension".repeat(128));
                case "endless-size" -> forever(chunkedHead(), "0".repeat(1024));
                case "endless-lines" -> forever("", "\r\n".repeat(512));
                case "endless-reason" -> forever("HTTP/1.1 200 ", "fine".repeat(256));
                case "endless-body" -> forever(chunkedHead(), "4000\r\n" + "b".repeat(16_384) + "\r\n");
                case "one-byte-chunks" -> forever(chunkedHead(), "1\r\nb\r\n".repeat(512));
                case "one-byte-segments" -> byBytes();
                case "surplus" -> forever("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb", "surplus".repeat(128));
                case "silent-body" -> silentBody();
                case "dripping-head" -> drip("HTTP/1.1 200 OK\r\n", "x");
                case "dripping-body" -> drip(chunkedHead(), "1\r\nb\r\n");
                case "closing" -> throw new IOException("as it was asked");
                case "resetting" -> reset();
                case "unasked-switch" ->
                    forever("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", "x");
                case "garbage" -> forever("", "garbage");
                default -> send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
            }
        }

        private static String chunkedHead() {
            return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";
        }

        private void send(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        private void whole(byte[] content) throws IOException {
            body();
            send("HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n\r\n"
                    + new String(content, StandardCharsets.US_ASCII));
        }

        private void large(int bytes) throws IOException {
            body();
            send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + bytes + "\r\n\r\n");
            for (int sent = 0; sent < bytes; sent += BLOCK.length) {
                out.write(BLOCK);
            }
        }

        /** Reads the body and returns its length in bytes. */
        private long body() throws IOException {
            if (!chunked) {
                long left = length;
                length = 0;
                long read = left;
                in.skipNBytes(left);
                return read;
            }
            chunked = false;
            long read = 0;
            while (true) {
                String line = line();
                if (line.isEmpty()) {
                    throw new EOFException("within a body");
                }
                int size = Integer.parseInt(line.split(";", 2)[0].strip(), 16);
                in.skipNBytes(size);
                if (size == 0) {
                    while (!line().isEmpty()) {
                        // Trailers.
                    }
                    return read;
                }
                line();
                read += size;
            }
        }

        private void tunnel(boolean flood) throws IOException {
            String head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
            if (flood) {
                forever(head, "f".repeat(16_384));
            }
            send(head);
            in.skipNBytes(Long.MAX_VALUE);
        }

        private void deaf() throws IOException {
            if (path.contains("socket")) {
                send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
            }
            silence();
        }

        private void silentBody() throws IOException {
            send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nb");
            silence();
        }

        private void drip(String begin, String more) throws IOException {
            send(begin);
            while (true) {
                send(more);
                pause(1_000);
            }
        }

        /** Ends in the middle of a body, with what was not read. */
        private void reset() throws IOException {
            send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nb");
            socket.setSoLinger(true, 0);
            throw new IOException("as it was asked");
        }

        private void byBytes() throws IOException {
            send(chunkedHead());
            byte[] chunk = "1\r\nb\r\n".getBytes(StandardCharsets.US_ASCII);
            while (true) {
                for (byte b : chunk) {
                    out.write(b);
                }
            }
        }

        private void forever(String begin, String more) throws IOException {
            send(begin);
            byte[] block = more.getBytes(StandardCharsets.ISO_8859_1);
            while (true) {
                out.write(block);
            }
        }

        /** Waits for longer than an attack takes, and ends: what has arrived meanwhile is no request. */
        private static void silence() throws IOException {
            pause(SILENCE_MILLIS);
            throw new EOFException();
        }

        private static void pause(long millis) throws IOException {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
