package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.loop.Prefetched;
import java.util.Arrays;

/**
 * Reads the head of a message (RFC 9112 §2.1, strictly: lines end in CRLF, nothing is folded, no space stands before a
 * colon). Heads are taken into an array of the connection, which is reused: a copy of some hundred octets costs less than
 * reading each through the checks of a buffer. Confined to the event loop.
 */
abstract class HeadParser implements Prefetched {

    private static final int INITIAL_BYTES = 1024;
    /** A larger array, which some head needed, is not kept for the next one: most connections wait for one most of the time. */
    private static final int KEPT_BYTES_MAX = 8 * 1024;
    /** How much is taken from a buffer at a time, so that little of a body is copied along. */
    private static final int STEP_BYTES = 1024;

    private final int firstLineMax;
    private final int bytesMax;
    private final Texts texts;
    private final FieldTable fields;

    private byte[] octets = new byte[INITIAL_BYTES];
    private int filled;
    private int lineStart;
    private int searched;
    private int fieldsStart;
    private boolean firstLineRead;

    /**
     * @param firstLineMax longest first line, in octets; 0 when there is none
     * @param bytesMax longest head, in octets, the first line aside
     */
    HeadParser(Texts texts, int firstLineMax, int bytesMax) {
        this.texts = texts;
        this.fields = new FieldTable(texts);
        this.firstLineMax = firstLineMax;
        this.bytesMax = bytesMax;
        this.firstLineRead = firstLineMax == 0;
    }

    /** Takes the first line, {@code start..end} without its line end. */
    abstract void firstLine(byte[] head, int start, int end);

    /** Returns what a first line that is too long means. */
    abstract ErrorKind firstLineTooLong();

    /** Returns whether empty lines before the first one are ignored. */
    boolean skipsEmptyLines() {
        return false;
    }

    /** Returns {@code start..end} of what was read as text. */
    String text(int start, int end) {
        return texts.of(octets, start, end);
    }

    @Override
    public int prefetch(int distance) {
        return switch (distance) {
            case 0 -> filled;
            // The lines of a head of usual length.
            case 1 -> octets[0] + octets[64] + octets[128] + octets[192] + octets[256] + fields.prefetch(0);
            default -> fields.prefetch(distance - 1);
        };
    }

    FieldTable fields() {
        return fields;
    }

    /** Returns whether part of a head is there. */
    boolean isBegun() {
        return filled > 0;
    }

    /** Begins another head; the one before, its fields included, is gone. */
    void reset() {
        filled = 0;
        lineStart = 0;
        searched = 0;
        fieldsStart = 0;
        firstLineRead = firstLineMax == 0;
        if (octets.length > KEPT_BYTES_MAX) {
            octets = new byte[INITIAL_BYTES];
        }
        fields.reset(octets);
    }

    /** Returns how long a head may become before there has to be more memory for it, in octets. */
    int capacity() {
        return octets.length;
    }

    /**
     * Reads from {@code in} up to the end of the head.
     *
     * @return whether the head is complete; else everything was read
     * @throws InvalidMessage when it breaks a rule or is too long
     */
    boolean read(ByteBuf in) {
        while (in.isReadable()) {
            take(in);
            int end = parse();
            if (end >= 0) {
                int surplus = filled - end;
                in.readerIndex(in.readerIndex() - surplus);
                filled = end;
                return true;
            }
            checkLength();
        }
        return false;
    }

    private void take(ByteBuf in) {
        int step = Math.min(in.readableBytes(), STEP_BYTES);
        if (filled + step > octets.length) {
            octets = Arrays.copyOf(octets, Math.max(octets.length * 2, filled + step));
            fields.moved(octets);
        }
        if (filled == 0) {
            fields.reset(octets);
        }
        in.readBytes(octets, filled, step);
        filled += step;
    }

    private void checkLength() {
        if (!firstLineRead && filled > firstLineMax) {
            throw new InvalidMessage(firstLineTooLong(), "first line");
        }
        checkFields(filled);
    }

    private void checkFields(int end) {
        if (firstLineRead && end - fieldsStart > bytesMax) {
            throw new InvalidMessage(ErrorKind.HEAD_TOO_LARGE, "head");
        }
    }

    /** Reads the lines that are there; returns where the head ends, -1 when it goes on. */
    private int parse() {
        while (true) {
            int lf = Octets.lineFeed(octets, searched, filled);
            if (lf == filled) {
                searched = filled;
                return -1;
            }
            int end = lf - 1;
            if (end < lineStart || octets[end] != Octets.CR) {
                throw InvalidMessage.malformed("a line that does not end in CRLF");
            }
            int start = lineStart;
            lineStart = lf + 1;
            searched = lf + 1;
            if (!firstLineRead) {
                readFirstLine(start, end);
            } else if (start == end) {
                return lineStart;
            } else {
                checkFields(end);
                readField(start, end);
            }
        }
    }

    private void readFirstLine(int start, int end) {
        if (start == end && skipsEmptyLines()) {
            return;
        }
        if (end - start > firstLineMax) {
            throw new InvalidMessage(firstLineTooLong(), "first line");
        }
        firstLineRead = true;
        fieldsStart = lineStart;
        firstLine(octets, start, end);
    }

    private void readField(int start, int end) {
        int hash = 0;
        int i = start;
        int lower = Octets.tokenLower(octets[i]);
        boolean underscored = false;
        while (lower != 0) {
            hash = 31 * hash + lower;
            underscored |= lower == '_';
            i++;
            lower = Octets.tokenLower(octets[i]);
        }
        // The line ends in CR, which no token has, so the loop stays within it.
        if (i == start || octets[i] != Octets.COLON) {
            throw InvalidMessage.malformed("field name");
        }
        int valueStart = i + 1;
        int valueEnd = end;
        while (valueStart < valueEnd && isBlank(octets[valueStart])) {
            valueStart++;
        }
        while (valueEnd > valueStart && isBlank(octets[valueEnd - 1])) {
            valueEnd--;
        }
        if (!Octets.isFieldValue(octets, valueStart, valueEnd)) {
            throw InvalidMessage.malformed("field value");
        }
        if (underscored) {
            fields.underscored();
        }
        fields.parsed(start, end + 2, i, valueStart, valueEnd, hash);
    }

    private static boolean isBlank(byte octet) {
        return octet == Octets.SP || octet == Octets.HTAB;
    }
}
