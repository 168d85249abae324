package io.sigma.e2e.chaos;

import java.io.DataInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A client of HTTP/2 in plaintext that sends the same request each time and has one stream at a time. */
final class Http2Client implements Client {

    /** {@code :status: 200} of the static table. */
    private static final int INDEXED_200 = 0x88;

    private final String name;
    private final Opening opening;
    private final String path;
    private @Nullable Wire wire;
    private int stream;

    Http2Client(String name, Opening opening, String path) {
        this.name = name;
        this.opening = opening;
        this.path = path;
    }

    @Override
    public void request() throws IOException {
        Wire open = wire;
        if (open == null) {
            open = opening.open();
            open.timeout(TIMEOUT_MILLIS);
            wire = open;
            stream = -1;
            open.send(Frames.join(Frames.PREFACE, Frames.settings()));
        }
        stream += 2;
        open.send(Frames.get(stream, path));
        if (response(open, new DataInputStream(open.in()))) {
            close();
        }
    }

    /** Reads to the end of the stream; returns whether the connection ends with it. */
    private boolean response(Wire open, DataInputStream in) throws IOException {
        boolean last = false;
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int id = in.readInt() & 0x7fffffff;
            byte[] payload = in.readNBytes(length);
            switch (type) {
                case Frames.SETTINGS -> {
                    if ((flags & Frames.ACK) == 0) {
                        open.send(Frames.frame(Frames.SETTINGS, Frames.ACK, 0));
                    }
                }
                case Frames.PING -> open.send(Frames.frame(Frames.PING, Frames.ACK, 0, payload));
                case Frames.GOAWAY -> last = true;
                case Frames.RST_STREAM -> throw new IOException("the stream was reset");
                case Frames.HEADERS -> {
                    if (id == stream && (payload[0] & 0xff) != INDEXED_200) {
                        throw new IOException("not 200 but " + Integer.toHexString(payload[0] & 0xff));
                    }
                }
                case Frames.DATA -> {
                    if (length > 0) {
                        open.send(Frames.join(Frames.windowUpdate(0, length), Frames.windowUpdate(id, length)));
                    }
                }
                default -> {
                    // Nothing that a client needs.
                }
            }
            if (id == stream && (type == Frames.HEADERS || type == Frames.DATA) && (flags & Frames.END_STREAM) != 0) {
                return last;
            }
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
