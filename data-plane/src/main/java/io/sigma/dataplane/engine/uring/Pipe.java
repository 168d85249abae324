package io.sigma.dataplane.engine.uring;

import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;

/** A pipe, which does not block, and what moves octets through it. Confined to one event loop. */
final class Pipe {

    /** The capacity of a pipe in bytes, if the kernel allows it. A pipe with small pieces holds less. */
    static final int BYTES = 1024 * 1024;

    private final FileDescriptor out;
    private final FileDescriptor in;
    private final Pipes owner;

    private Pipe(FileDescriptor out, FileDescriptor in, Pipes owner) {
        this.out = out;
        this.in = in;
        this.owner = owner;
    }

    static Pipe open(Pipes owner) throws IOException {
        FileDescriptor[] ends = FileDescriptor.pipe();
        owner.splice().enlarge(ends[1].intValue(), BYTES);
        return new Pipe(ends[0], ends[1], owner);
    }

    Pipes owner() {
        return owner;
    }

    /** Returns how many octets of at most {@code most} it took, 0 at the end, or an error's negative number. */
    int fillFrom(int socket, int most) {
        return owner.splice().move(socket, in.intValue(), most);
    }

    /** Returns how many octets of {@code length} were taken, or an error's negative number. */
    int drainTo(int socket, int length) {
        return owner.splice().move(out.intValue(), socket, length);
    }

    /** Reads {@code length} octets, which are there, to {@code address}. */
    void read(long address, int length) throws IOException {
        int read = 0;
        while (read < length) {
            int count = out.readAddress(address, read, length);
            if (count <= 0) {
                throw new IOException("a pipe holds " + read + " octets (expected: " + length + ")");
            }
            read += count;
        }
    }

    void close() {
        try {
            out.close();
            in.close();
        } catch (IOException e) {
            throw new IllegalStateException("a pipe that nobody uses can be closed", e);
        }
    }
}
