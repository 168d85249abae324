package io.sigma.dataplane.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A connection between two processes of a gateway. A message is a length of four octets, one octet with its kind, and
 * an object of JSON of that length; descriptors may come with it. Not thread-safe; blocks.
 */
final class ControlConnection implements AutoCloseable {

    /** The longest object, in bytes. */
    static final int BYTES_MAX = 16 << 20;

    private static final int HEAD_BYTES = 5;
    /** So long one call of the kernel may take. */
    private static final long CALL_MILLIS = 1_000;

    private static final int PIECE_BYTES = 64 << 10;

    private final int fd;
    private boolean closed;

    /**
     * A received message.
     *
     * @param body any value; not checked
     * @param descriptors that came with it; whoever gets the message closes them
     */
    record Message(Kind kind, JsonNode body, List<Integer> descriptors) {}

    /**
     * @param fd of a connected socket; closed by this object
     * @throws IOException when the process at the other end acts for another user
     */
    ControlConnection(int fd) throws IOException {
        this.fd = fd;
        try {
            int peer = Kernel.peerUser(fd);
            if (peer != Kernel.user()) {
                throw new IOException(
                        "the other process acts for user %d (expected: %d)".formatted(peer, Kernel.user()));
            }
            Kernel.timeout(fd, CALL_MILLIS);
        } catch (IOException e) {
            Kernel.close(fd);
            throw e;
        }
    }

    /**
     * Sends a message.
     *
     * @param millisMax how long it may take
     */
    void send(Kind kind, Object body, List<Integer> descriptors, long millisMax) throws IOException {
        byte[] json = Json.bytes(body);
        if (json.length > BYTES_MAX) {
            throw new IOException("%d bytes (expected: at most %d)".formatted(json.length, BYTES_MAX));
        }
        byte[] message = ByteBuffer.allocate(HEAD_BYTES + json.length)
                .putInt(json.length)
                .put(kind.code())
                .put(json)
                .array();
        long end = end(millisMax);
        List<Integer> first = descriptors;
        for (int sent = 0; sent < message.length; ) {
            int piece = Math.min(PIECE_BYTES, message.length - sent);
            try {
                sent += Kernel.send(fd, message, sent, piece, first);
                first = List.of();
            } catch (SocketTimeoutException e) {
                check(end);
            }
        }
    }

    /**
     * Receives a message.
     *
     * @param millisMax how long it may take
     * @throws IOException when the other process is gone, sends something else, or nothing in time
     */
    Message receive(long millisMax) throws IOException {
        long end = end(millisMax);
        List<Integer> descriptors = new ArrayList<>();
        try {
            ByteBuffer head = ByteBuffer.wrap(read(HEAD_BYTES, end, descriptors));
            int length = head.getInt();
            Kind kind = Kind.of(head.get());
            if (length < 0 || length > BYTES_MAX) {
                throw new IOException("%d bytes (expected: 0..%d)".formatted(length, BYTES_MAX));
            }
            return new Message(kind, parse(read(length, end, descriptors)), descriptors);
        } catch (IOException | RuntimeException e) {
            descriptors.forEach(Kernel::close);
            throw e;
        }
    }

    private static JsonNode parse(byte[] json) throws IOException {
        return Json.mapper().readTree(json);
    }

    private byte[] read(int length, long end, List<Integer> descriptors) throws IOException {
        byte[] bytes = new byte[length];
        for (int read = 0; read < length; ) {
            try {
                Kernel.Received received = Kernel.receive(fd, bytes, read, Math.min(PIECE_BYTES, length - read));
                descriptors.addAll(received.descriptors());
                if (received.bytes() == 0) {
                    throw new IOException("the other process has closed the connection");
                }
                if (descriptors.size() > Kernel.DESCRIPTORS_MAX) {
                    throw new IOException("%d descriptors (expected: at most %d in a message)"
                            .formatted(descriptors.size(), Kernel.DESCRIPTORS_MAX));
                }
                read += received.bytes();
            } catch (SocketTimeoutException e) {
                check(end);
            }
            if (read < length) {
                check(end);
            }
        }
        return bytes;
    }

    private static long end(long millisMax) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millisMax);
    }

    private static void check(long end) throws IOException {
        if (System.nanoTime() - end > 0) {
            throw new SocketTimeoutException("the other process does not answer in time");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Kernel.close(fd);
        }
    }
}
