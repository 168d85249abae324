package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.FastThreadLocal;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.loop.Prefetched;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a message (RFC 9112 §6, §7): checks the framing while the data passes, as slices of what arrived.
 * Confined to the event loop.
 */
final class BodyReader implements Prefetched {

    /** Takes the data. */
    interface Sink {

        /** Takes a piece, which is the sink's to release, also when it fails. */
        void onData(ByteBuf data);
    }

    /** As numbers, because the collector fences each reference that is set. */
    private static final class State {
        static final int SIZE = 0;
        static final int EXTENSION = 1;
        static final int SIZE_LF = 2;
        static final int DATA = 3;
        static final int DATA_CR = 4;
        static final int DATA_LF = 5;
        static final int TRAILERS = 6;
        static final int OVER = 7;
        /** In a quoted text of an extension, and after a backslash of it (RFC 9110 §5.6.4). */
        static final int EXTENSION_QUOTED = 8;

        static final int EXTENSION_ESCAPED = 9;
        /** In white space between a size and its extension (RFC 9112 §7.1.1). */
        static final int SIZE_BLANK = 10;

        private State() {}
    }

    /**
     * Size lines may carry extensions, which are dropped; so many octets in one line, and in all of a body as many more
     * than it has data. Some servers fill each size with white space, and bodies may be long.
     */
    private static final int EXTENSION_BYTES_MAX = 1024;

    private static final int EXTENSIONS_BYTES_MAX = 16 * 1024;
    /** Of a size, which may have zeros before it. */
    private static final int HEX_DIGITS_MAX = 64;

    private static final int SIZE_BITS_MAX = 60;

    /** Shorter pieces are copied together, because passing one on costs more than its octets do. */
    private static final int GATHERED_BYTES_MAX = 512;

    /** The number of octets in which short chunks are gathered. */
    private static final int GATHERED_FROM_BYTES = 32 * 1024;

    private static final FastThreadLocal<byte[]> GATHERED = new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
            return new byte[GATHERED_FROM_BYTES];
        }
    };

    private final Texts texts;
    private final boolean ofNode;
    private int trailerBytesMax;
    /** Made with the first trailer section: most connections never have one, and it has arrays. */
    private @Nullable HeadParser trailerParser;

    private int state = State.OVER;
    private boolean chunked;
    private boolean untilClose;
    private long left;
    private int digits;
    /** Octets of extensions in this line. */
    private int extension;
    /** Octets of extensions in the lines so far, without as many as there was data. */
    private int extensions;

    /**
     * @param trailerBytesMax longest trailer section, in octets
     * @param ofNode whether it reads responses, in which white space may stand between the size of a chunk and the end
     *     of its line, as some servers write it
     */
    BodyReader(Texts texts, int trailerBytesMax, boolean ofNode) {
        this.texts = texts;
        this.ofNode = ofNode;
        this.trailerBytesMax = trailerBytesMax;
    }

    /** Sets another limit for trailer sections, for what is read from now on. */
    void limitTrailers(int bytesMax) {
        trailerBytesMax = bytesMax;
        if (trailerParser != null) {
            trailerParser.limit(0, bytesMax);
        }
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0 ? digits : 0;
    }

    /**
     * Begins another body.
     *
     * @param length in octets, {@link Framing#CHUNKED} or {@link Framing#UNTIL_CLOSE}
     */
    void begin(long length) {
        chunked = length == Framing.CHUNKED;
        untilClose = length == Framing.UNTIL_CLOSE;
        left = Math.max(0, length);
        state = chunked ? State.SIZE : length == 0 ? State.OVER : State.DATA;
        digits = 0;
        extension = 0;
        extensions = 0;
        if (trailerParser != null) {
            trailerParser.reset();
        }
    }

    /** Returns how much memory a trailer section takes, in octets. */
    int surplus() {
        return trailerParser == null ? 0 : trailerParser.surplus();
    }

    /** Returns whether the body is complete. */
    boolean isOver() {
        return state == State.OVER;
    }

    /** Returns whether the body ends with the connection. */
    boolean isUntilClose() {
        return untilClose;
    }

    /** Returns whether no length of the body was announced. */
    boolean isOpenEnded() {
        return chunked || untilClose;
    }

    /** Returns the trailer fields of a body that is over; null when there are none. */
    @Nullable
    FieldTable trailers() {
        return trailerParser == null || trailerParser.fields().parsed() == 0 ? null : trailerParser.fields();
    }

    private HeadParser trailerParser() {
        HeadParser known = trailerParser;
        if (known == null) {
            known = new TrailerParser(texts, trailerBytesMax);
            trailerParser = known;
        }
        return known;
    }

    /** Returns the length of the data that follow without a break, as far as it is known. Chunks are not looked for. */
    long left() {
        return state == State.DATA && !chunked && !untilClose ? left : 0;
    }

    /** Notes that so much of what is {@link #left} was read by somebody else. */
    void taken(int octets) {
        take(octets);
    }

    /** Ends a body that ends with the connection. */
    void close() {
        state = State.OVER;
    }

    /**
     * Reads from {@code in} what belongs to the body and passes its data on, until it is over or everything was read. A
     * buffer that holds data only belongs to the sink from then on, without a slice of it being made.
     *
     * @return what is to be read on and released instead of {@code in}: itself, or an empty buffer when it was given
     *     away
     * @throws InvalidMessage when the framing breaks a rule; {@code in} is released then, as whenever this fails
     */
    ByteBuf read(ByteBuf in, Sink sink) {
        boolean given = false;
        try {
            while (in.isReadable() && state != State.OVER) {
                int available = in.readableBytes();
                if (state != State.DATA) {
                    step(in);
                } else if (isShort(available)) {
                    gather(in, sink);
                } else {
                    int length = take(available);
                    if (length == available) {
                        given = true;
                        sink.onData(in);
                        return Unpooled.EMPTY_BUFFER;
                    }
                    sink.onData(in.readRetainedSlice(length));
                }
            }
        } catch (RuntimeException | Error e) {
            if (!given) {
                in.release();
            }
            throw e;
        }
        return in;
    }

    /** Returns whether what comes of a chunk is short, and more than that is there. */
    private boolean isShort(int available) {
        return chunked && left < Math.min(available, GATHERED_BYTES_MAX);
    }

    /**
     * Passes short chunks on in one piece, up to a longer one, an end or what cannot be read. They are read from an
     * array: with one octet a chunk, getting each octet from a buffer took most of an event loop.
     */
    private void gather(ByteBuf in, Sink sink) {
        byte[] octets = GATHERED.get();
        int end = Math.min(in.readableBytes(), octets.length);
        in.getBytes(in.readerIndex(), octets, 0, end);
        int from = 0;
        int to = 0;
        try {
            while (from < end && state == State.DATA && left <= Math.min(end - from, GATHERED_BYTES_MAX)) {
                int length = take(end - from);
                // Its place is before: each chunk has a size.
                System.arraycopy(octets, from, octets, to, length);
                from += length;
                to += length;
                from = nextChunk(octets, from, end);
            }
        } finally {
            in.skipBytes(from);
            if (to > 0) {
                sink.onData(in.alloc().directBuffer(to).writeBytes(octets, 0, to));
            }
        }
    }

    /** Reads to where data or trailers begin, or to the end; returns where that is. */
    private int nextChunk(byte[] octets, int start, int end) {
        int from = start;
        while (from < end && state != State.DATA && state != State.TRAILERS) {
            frame(octets[from]);
            from++;
        }
        return from;
    }

    /** Reads everything except data. */
    private void step(ByteBuf in) {
        if (state == State.TRAILERS) {
            if (trailerParser().read(in)) {
                state = State.OVER;
            }
        } else {
            frame(in.readByte());
        }
    }

    /** Returns how much of what is there is data. */
    private int take(int available) {
        if (untilClose) {
            return available;
        }
        int length = (int) Math.min(left, available);
        left -= length;
        if (left == 0) {
            state = chunked ? State.DATA_CR : State.OVER;
        }
        return length;
    }

    private void frame(byte octet) {
        switch (state) {
            case State.SIZE -> size(octet);
            case State.SIZE_BLANK -> blank(octet);
            case State.EXTENSION, State.EXTENSION_QUOTED, State.EXTENSION_ESCAPED -> extension(octet);
            case State.SIZE_LF -> {
                expect(octet, Octets.LF);
                extensions -= (int) Math.min(extensions, left);
                state = left == 0 ? State.TRAILERS : State.DATA;
            }
            case State.DATA_CR -> {
                expect(octet, Octets.CR);
                state = State.DATA_LF;
            }
            case State.DATA_LF -> {
                expect(octet, Octets.LF);
                state = State.SIZE;
                digits = 0;
                extension = 0;
            }
            default -> throw new IllegalStateException("state " + state);
        }
    }

    private void size(byte octet) {
        int digit = Octets.hex(octet);
        if (digit >= 0) {
            digits++;
            if (digits > HEX_DIGITS_MAX || left >>> (SIZE_BITS_MAX - 4) != 0) {
                throw InvalidMessage.malformed("chunk size");
            }
            left = left << 4 | digit;
        } else if (digits == 0) {
            throw InvalidMessage.malformed("chunk size");
        } else if (octet == Octets.CR) {
            state = State.SIZE_LF;
        } else {
            blank(octet);
        }
    }

    /** Such white space is read where an extension follows; without one it is wrong in a request. */
    private void blank(byte octet) {
        if (octet == Octets.SP || octet == Octets.HTAB) {
            count();
            state = State.SIZE_BLANK;
        } else if (octet == ';') {
            state = State.EXTENSION;
        } else if (octet == Octets.CR && ofNode) {
            state = State.SIZE_LF;
        } else {
            throw InvalidMessage.malformed("chunk size");
        }
    }

    private void count() {
        extension++;
        extensions++;
        if (extension > EXTENSION_BYTES_MAX || extensions > EXTENSIONS_BYTES_MAX) {
            throw InvalidMessage.malformed("chunk extension");
        }
    }

    private void extension(byte octet) {
        count();
        if (octet == Octets.CR && state == State.EXTENSION) {
            state = State.SIZE_LF;
        } else if (Octets.isControl(octet) && octet != Octets.HTAB) {
            // A line that ends within a quoted text would end elsewhere for others.
            throw InvalidMessage.malformed("chunk extension");
        } else if (state == State.EXTENSION_ESCAPED) {
            state = State.EXTENSION_QUOTED;
        } else if (octet == '"') {
            state = state == State.EXTENSION ? State.EXTENSION_QUOTED : State.EXTENSION;
        } else if (octet == '\\' && state == State.EXTENSION_QUOTED) {
            state = State.EXTENSION_ESCAPED;
        }
    }

    private static void expect(byte octet, byte wanted) {
        if (octet != wanted) {
            throw InvalidMessage.malformed("chunk");
        }
    }

    /** Trailer fields are lines like those of a head, without a first line. */
    private static final class TrailerParser extends HeadParser {

        TrailerParser(Texts texts, int bytesMax) {
            super(texts, 0, bytesMax);
        }

        @Override
        void firstLine(byte[] head, int start, int end) {
            throw new IllegalStateException("trailers have no first line");
        }

        @Override
        void firstLineAgain() {
            throw new IllegalStateException("trailers have no first line");
        }

        @Override
        ErrorKind firstLineTooLong() {
            return ErrorKind.HEAD_TOO_LARGE;
        }
    }
}
