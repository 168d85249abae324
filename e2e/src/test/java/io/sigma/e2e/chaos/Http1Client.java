package io.sigma.e2e.chaos;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A client of HTTP/1.1 that sends the same request each time. */
final class Http1Client implements Client {

    private final String name;
    private final Opening opening;
    private final boolean keepsAlive;
    private final byte[] request;
    private @Nullable Wire wire;

    /**
     * @param keepsAlive whether the connection is used for the next request
     */
    Http1Client(String name, Opening opening, boolean keepsAlive, String request) {
        this.name = name;
        this.opening = opening;
        this.keepsAlive = keepsAlive;
        this.request = request.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    static String post(String path, int bytes) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + bytes + "\r\n\r\n"
                + "p".repeat(bytes);
    }

    @Override
    public void request() throws IOException {
        Wire open = wire;
        if (open == null) {
            open = opening.open();
            open.timeout(TIMEOUT_MILLIS);
            wire = open;
        }
        open.send(request);
        boolean last = response(open.in());
        if (last || !keepsAlive) {
            close();
        }
    }

    /** Reads a response of a known length; returns whether the connection ends with it. */
    private static boolean response(InputStream in) throws IOException {
        String status = line(in);
        long length = -1;
        boolean last = false;
        for (String field = line(in); !field.isEmpty(); field = line(in)) {
            String lower = field.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(15).strip());
            }
            last |= lower.startsWith("connection:") && lower.contains("close");
        }
        if (!status.startsWith("HTTP/1.1 200")) {
            throw new IOException(status);
        }
        if (length < 0) {
            throw new IOException("no length");
        }
        in.skipNBytes(length);
        return last;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException("the connection ended");
            }
            if (b == '\n') {
                return line.toString().strip();
            }
            line.append((char) b);
        }
    }

    @Override
    public void close() {
        if (wire != null) {
            wire.close();
            wire = null;
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
