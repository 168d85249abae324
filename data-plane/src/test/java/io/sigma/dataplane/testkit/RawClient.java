package io.sigma.dataplane.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client that sends what it is told, byte for byte, and reads answers strictly. */
@SuppressWarnings("ArrayRecordComponent")
public final class RawClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 15_000;

    /** A response as it arrived. */
    public record Answer(int status, List<String> fields, byte[] body, List<String> trailers) implements FieldLines {

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    public RawClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(TIMEOUT_MILLIS);
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    public static RawClient connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        return new RawClient(socket);
    }

    /** Sends one request on a connection of its own; returns the final response, or 101. */
    public static Answer exchange(int port, String request) throws IOException {
        try (RawClient client = connect(port)) {
            client.send(request);
            return client.readAll(request.startsWith("HEAD ")).getLast();
        }
    }

    public static Answer get(int port, String host, String target) throws IOException {
        return exchange(port, "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }

    public Socket socket() {
        return socket;
    }

    public InputStream in() {
        return in;
    }

    public OutputStream out() {
        return out;
    }

    public void send(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    public Answer read() throws IOException {
        return read(false);
    }

    /** Returns the interim responses and the final one, or 101. */
    public List<Answer> readAll(boolean head) throws IOException {
        List<Answer> all = new ArrayList<>();
        Answer answer;
        do {
            answer = read(head);
            all.add(answer);
        } while (answer.status() < 200 && answer.status() != 101);
        return all;
    }

    public Answer read(boolean head) throws IOException {
        String line = Wire.readLine(in);
        if (line == null) {
            throw new EOFException("no answer");
        }
        int status = Integer.parseInt(line.split(" ", -1)[1]);
        List<String> fields = Wire.readFields(in);
        Answer answer = new Answer(status, fields, new byte[0], List.of());
        if (head || status < 200 || status == 204 || status == 304) {
            return answer;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        List<String> trailers = List.of();
        if ("chunked".equals(answer.field("transfer-encoding"))) {
            trailers = Wire.readChunks(in, body);
        } else if (answer.field("content-length") != null) {
            int length = Integer.parseInt(String.valueOf(answer.field("content-length")));
            byte[] data = in.readNBytes(length);
            if (data.length < length) {
                throw new EOFException("body cut short: " + data.length + " of " + length);
            }
            body.write(data);
        } else {
            body.write(in.readAllBytes());
        }
        return new Answer(status, fields, body.toByteArray(), trailers);
    }

    /** Returns whether the gateway closes the connection, within the timeout, without sending more. */
    public boolean isClosedByPeer() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException e) {
            return true;
        }
    }

    /** Ends both directions at once; {@link #close} ends only the one towards the gateway, as far as that can tell. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
