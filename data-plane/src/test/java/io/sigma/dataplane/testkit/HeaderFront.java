package io.sigma.dataplane.testkit;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a node: takes the PROXY header off each connection, notes it, and passes the rest on over a connection
 * of its own. So the node behind may speak whatever it likes.
 */
public final class HeaderFront implements AutoCloseable {

    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};
    private static final int BLOCK = 16 * 1024;

    /**
     * A header as it arrived.
     *
     * @param version 0 for none
     * @param told TCP4, TCP6, UNKNOWN or LOCAL
     * @param source such as {@code 127.0.0.1:4711}
     * @param extensions the values of version 2 by their type, each octet a char
     */
    public record Header(
            int version, String told, String source, String destination, Map<Integer, String> extensions) {}

    private static final Header NONE = new Header(0, "", "", "", Map.of());

    private final ServerSocket server;
    private final int node;
    private final List<Header> headers = new CopyOnWriteArrayList<>();
    private final Map<Integer, Header> byPort = new ConcurrentHashMap<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    private HeaderFront(InetAddress address, int node) throws IOException {
        this.server = new ServerSocket(0, 256, address);
        this.node = node;
        Thread.ofVirtual().start(this::accept);
    }

    /** Starts one before the node at {@code port}. */
    public static HeaderFront before(int port) {
        try {
            return new HeaderFront(InetAddress.getLoopbackAddress(), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    public String tlsUrl() {
        return "https://127.0.0.1:" + server.getLocalPort();
    }

    /** Returns the headers of all connections, in their order. */
    public List<Header> headers() {
        return headers;
    }

    public Header last() {
        return headers.getLast();
    }

    /** Returns the header of the connection that the node sees come from {@code port}. */
    public Header of(int port) {
        return byPort.getOrDefault(port, NONE);
    }

    /** Returns how many connections are open. */
    public int openNow() {
        return open.size();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        open.add(socket);
        try (socket) {
            socket.setTcpNoDelay(true);
            ByteArrayOutputStream unread = new ByteArrayOutputStream();
            Header header = read(socket.getInputStream(), unread);
            if (header == null) {
                return;
            }
            try (Socket behind = new Socket(InetAddress.getLoopbackAddress(), node)) {
                behind.setTcpNoDelay(true);
                byPort.put(behind.getLocalPort(), header);
                headers.add(header);
                behind.getOutputStream().write(unread.toByteArray());
                Thread back = Thread.ofVirtual().start(() -> pass(behind, socket));
                pass(socket, behind);
                back.join();
            }
        } catch (IOException | InterruptedException e) {
            // One of the two ended it.
        } finally {
            open.remove(socket);
        }
    }

    private static void pass(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] block = new byte[BLOCK];
            for (int length = in.read(block); length >= 0; length = in.read(block)) {
                out.write(block, 0, length);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            close(to);
            close(from);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns null for a connection that ended first.
     *
     * @param unread takes what is not of a header
     */
    private static @Nullable Header read(InputStream in, ByteArrayOutputStream unread) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        if (first == SIGNATURE[0]) {
            byte[] rest = octets(in, SIGNATURE.length - 1);
            if (!Arrays.equals(rest, Arrays.copyOfRange(SIGNATURE, 1, SIGNATURE.length))) {
                throw new EOFException("no signature");
            }
            return version2(in);
        }
        unread.write(first);
        unread.writeBytes(octets(in, 5));
        if (!unread.toString(StandardCharsets.US_ASCII).equals("PROXY ")) {
            return NONE;
        }
        unread.reset();
        String line = String.valueOf(Wire.readLine(in));
        String[] parts = line.split(" ", -1);
        return parts.length == 1
                ? new Header(1, parts[0], "", "", Map.of())
                : new Header(1, parts[0], parts[1] + ":" + parts[3], parts[2] + ":" + parts[4], Map.of());
    }

    private static Header version2(InputStream in) throws IOException {
        ByteBuffer fixed = ByteBuffer.wrap(octets(in, 4));
        int command = fixed.get();
        int family = fixed.get();
        ByteBuffer rest = ByteBuffer.wrap(octets(in, Short.toUnsignedInt(fixed.getShort())));
        if (command == 0x20) {
            return new Header(2, "LOCAL", "", "", Map.of());
        }
        int length = family == 0x11 ? 4 : 16;
        InetAddress source = address(rest, length);
        InetAddress destination = address(rest, length);
        int from = Short.toUnsignedInt(rest.getShort());
        int to = Short.toUnsignedInt(rest.getShort());
        return new Header(
                2,
                family == 0x11 ? "TCP4" : "TCP6",
                source.getHostAddress() + ":" + from,
                destination.getHostAddress() + ":" + to,
                extensions(rest));
    }

    /** Returns the values of each type, one octet a char. */
    public static Map<Integer, String> extensions(ByteBuffer from) {
        Map<Integer, String> values = new TreeMap<>();
        while (from.hasRemaining()) {
            int type = from.get() & 0xff;
            byte[] value = new byte[Short.toUnsignedInt(from.getShort())];
            from.get(value);
            values.put(type, new String(value, StandardCharsets.ISO_8859_1));
        }
        return values;
    }

    private static InetAddress address(ByteBuffer from, int length) throws IOException {
        byte[] octets = new byte[length];
        from.get(octets);
        return InetAddress.getByAddress(octets);
    }

    private static byte[] octets(InputStream in, int count) throws IOException {
        byte[] read = in.readNBytes(count);
        if (read.length < count) {
            throw new EOFException("within a header");
        }
        return read;
    }

    @Override
    public void close() {
        stop();
    }

    /** Closes what is open; nobody can connect any more. */
    public void stop() {
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
