package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sigma.dataplane.engine.body.HeldBytes;
import io.sigma.dataplane.exchange.Fields;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a response that its client has not read yet: a little of it in memory, the rest in a file, so that the
 * node can be done with the response however slowly the client reads. Confined to the event loop of the client; the
 * file is read and written on other threads, by one of them at a time.
 */
final class Spool {

    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);

    /**
     * The largest number of bytes in memory before a file is used, and of bytes that are read from the file in advance.
     */
    private static final int MEMORY_BYTES = 64 * 1024;
    /** The largest number of bytes that wait to be written to the file. At this number, the node has to wait. */
    private static final int UNWRITTEN_BYTES_MAX = 128 * 1024;

    private final SlowReader reader;
    private final ClientStream client;
    private final SpoolFiles files;
    private final Object owner;
    /** Goes to the client next. */
    private final HeldBytes front = new HeldBytes();
    /** Follows what is in the file. */
    private final HeldBytes back = new HeldBytes();
    /** Is being written to the file. */
    private List<ByteBuf> writing = List.of();

    private long writingBytes;
    private long readingBytes;
    /** The unread part of the file begins here and ends at {@code writtenTo}, in bytes from its start. */
    private long readAt;

    private long writtenTo;
    private long reserved;
    private volatile @Nullable FileChannel file;
    private boolean failed;
    private boolean ended;
    private boolean closed;
    private @Nullable Fields trailers;

    /**
     * @param reader is called when there is room, or when waiting bytes are lost
     * @param client for which {@link SpoolFiles#takeFile} had a place
     * @param owner the owner that bytes in the file count for
     */
    Spool(SlowReader reader, ClientStream client, SpoolFiles files, Object owner) {
        this.reader = reader;
        this.client = client;
        this.owner = owner;
        this.files = files;
    }

    /** Returns how much waits, in bytes. */
    long bytes() {
        return front.bytes() + readingBytes + (writtenTo - readAt) + writingBytes + back.bytes();
    }

    /** Returns how much memory is held, in bytes. */
    long cost() {
        return front.cost() + readingBytes + writingBytes + back.cost();
    }

    /** Returns whether the node has to wait before more is added. */
    boolean isFull() {
        return back.bytes() >= (failed ? 1 : UNWRITTEN_BYTES_MAX);
    }

    /** Returns whether all of the response is here or with the client. */
    boolean isEnded() {
        return ended;
    }

    /** Takes a piece, which is this object's to release. */
    void add(ByteBuf piece) {
        if (closed) {
            piece.release();
            return;
        }
        boolean nothingBetween = readAt == writtenTo && readingBytes == 0 && writingBytes == 0 && back.isEmpty();
        int octets = piece.readableBytes();
        (nothingBetween && front.bytes() < MEMORY_BYTES ? front : back).add(piece);
        // Last: it may end the connection, and with it lets go of what waits.
        client.grew(octets);
        pump();
    }

    /** The response is complete; the client gets its end after what waits. */
    void end(@Nullable Fields last) {
        ended = true;
        trailers = last;
        pump();
    }

    /** Lets go of everything: the client is gone, or has all. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        front.clear();
        back.clear();
        if (readingBytes == 0 && writingBytes == 0) {
            closeFile();
        }
    }

    private void closeFile() {
        files.giveBytes(owner, reserved);
        reserved = 0;
        files.giveFile();
        FileChannel open = file;
        file = null;
        if (open != null) {
            files.work(() -> SpoolFiles.close(open));
        }
    }

    /** Passes on what can be, in every direction: to the client, from the file, into the file. */
    void pump() {
        while (!closed && !front.isEmpty() && !client.isFull(0)) {
            ByteBuf piece = front.poll();
            if (piece != null) {
                client.write(piece);
            }
        }
        if (closed) {
            return;
        }
        if (!front.isEmpty()) {
            client.watchReading();
        }
        if (readingBytes == 0 && writingBytes == 0) {
            refill();
        }
        // The refill may have ended the response already. The end is sent once: a second last chunk would be a response
        // of its own.
        if (!closed && ended && bytes() == 0) {
            close();
            client.finish(trailers);
        }
    }

    private void refill() {
        if (readAt < writtenTo && front.bytes() < MEMORY_BYTES) {
            read();
        } else if (readAt == writtenTo && front.bytes() < MEMORY_BYTES && !back.isEmpty()) {
            // The client has caught up with the file.
            readAt = 0;
            writtenTo = 0;
            front.append(back);
            if (!client.isFull(0)) {
                pump();
            }
        } else if (back.bytes() >= MEMORY_BYTES && !failed) {
            write();
        }
    }

    private void write() {
        long end = writtenTo + back.bytes();
        if (end > files.responseBytesMax() || (end > reserved && !files.takeBytes(owner, end - reserved))) {
            // No room: the node waits until the client has read all that is in the file.
            return;
        }
        reserved = Math.max(reserved, end);
        List<ByteBuf> pieces = new ArrayList<>();
        writingBytes = back.bytes();
        for (ByteBuf piece = back.poll(); piece != null; piece = back.poll()) {
            pieces.add(piece);
        }
        writing = pieces;
        long at = writtenTo;
        run(
                () -> {
                    FileChannel open = file;
                    if (open == null) {
                        open = files.open();
                        file = open;
                    }
                    writeAll(open, pieces, at);
                },
                this::onWritten);
    }

    /** A file operation that runs on another thread. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    /**
     * Has {@code work} done on another thread.
     *
     * @param done takes what it failed with on the loop of the client, null for nothing; in any case, or what waits
     *     would wait for ever
     */
    private void run(Work work, Consumer<@Nullable Throwable> done) {
        try {
            files.work(() -> {
                Throwable failure = null;
                try {
                    work.run();
                } catch (IOException | RuntimeException | Error e) {
                    failure = e;
                }
                over(done, failure);
            });
        } catch (RejectedExecutionException e) {
            over(done, e);
        }
    }

    private void over(Consumer<@Nullable Throwable> done, @Nullable Throwable failure) {
        client.loop().scheduler().execute(() -> {
            try {
                done.accept(failure);
            } catch (RuntimeException | Error e) {
                // Nobody else hears of it, and the client must not take what is left for the whole.
                LOG.error("A response that waited could not go on", e);
                reader.failed();
            }
        });
    }

    private static void writeAll(FileChannel open, List<ByteBuf> pieces, long from) throws IOException {
        long at = from;
        for (ByteBuf piece : pieces) {
            ByteBuffer octets = piece.nioBuffer();
            while (octets.hasRemaining()) {
                at += open.write(octets, at);
            }
        }
    }

    private void onWritten(@Nullable Throwable failure) {
        List<ByteBuf> pieces = writing;
        writing = List.of();
        if (closed || failure == null) {
            pieces.forEach(ByteBuf::release);
        }
        if (failure == null) {
            writtenTo += writingBytes;
        } else if (!closed) {
            // It stays in memory, in its place; nothing more is written.
            files.failed(failure);
            failed = true;
            HeldBytes again = new HeldBytes();
            pieces.forEach(again::keep);
            back.prepend(again);
        }
        writingBytes = 0;
        onDone();
    }

    private void read() {
        int length = (int) Math.min(MEMORY_BYTES, writtenTo - readAt);
        ByteBuf into = PooledByteBufAllocator.DEFAULT.directBuffer(length, length);
        readingBytes = length;
        long at = readAt;
        readAt += length;
        FileChannel open = file;
        run(
                () -> {
                    while (open != null && into.isWritable()) {
                        int read = into.writeBytes(open, at + into.writerIndex(), into.writableBytes());
                        if (read <= 0) {
                            break;
                        }
                    }
                },
                failure -> {
                    if (failure != null) {
                        files.failed(failure);
                    }
                    onRead(into, failure == null && !into.isWritable());
                });
    }

    private void onRead(ByteBuf piece, boolean complete) {
        readingBytes = 0;
        if (closed) {
            piece.release();
        } else if (!complete) {
            piece.release();
            reader.failed();
        } else {
            front.add(piece);
        }
        onDone();
    }

    private void onDone() {
        if (closed) {
            if (readingBytes == 0 && writingBytes == 0) {
                closeFile();
            }
            return;
        }
        pump();
        if (!closed) {
            reader.moved();
        }
    }
}
