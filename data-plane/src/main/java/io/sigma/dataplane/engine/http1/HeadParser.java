package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.loop.Prefetched;
import java.util.Arrays;

/**
 * Reads the head of a message (RFC 9112 §2.1, strictly: lines end in CRLF, nothing is folded). Heads are taken into an
 * array of the connection, which is reused: a copy of some hundred octets costs less than reading each through the
 * checks of a buffer. Peers say nearly the same in each head, so the one before stays in the other half of the array,
 * and lines that follow as they did there are not parsed again (docs/adr/0047). What a head means, and whether it is
 * refused, depends neither on that nor on how it arrives. Confined to the event loop.
 */
abstract class HeadParser implements Prefetched {

    /** The initial capacity for a head and the previous one, in octets. */
    static final int CAPACITY_MIN = 1024;

    /**
     * A larger array, which some head needed, is not kept for the next one: most connections wait for one most of the
     * time.
     */
    private static final int KEPT_BYTES_MAX = 16 * 1024;
    /**
     * The bytes that are copied from a buffer at a time, so that little of a body is copied with the head. After a
     * longer head it is more.
     */
    private static final int STEP_BYTES = 1024;

    private int firstLineMax;
    private int bytesMax;
    private final Texts texts;
    private final FieldTable fields;

    /** Two halves of one array, which change places: references that change have to be told to the collector. */
    private byte[] octets = new byte[CAPACITY_MIN];

    private int origin;
    private int filled;
    private int lineStart;
    private int searched;
    /** True if the line has no control octets before {@code searched}. */
    private boolean plain = true;

    private int fieldsStart;
    private boolean firstLineRead;
    private boolean complete;
    /** True if the lines that follow may be those of the head before. */
    private boolean comparing;

    // The head before; it ends where it begins if there is none to compare with.
    private int originBefore = CAPACITY_MIN / 2;
    private int fieldsStartBefore = originBefore;
    private int endBefore = originBefore;

    /**
     * @param firstLineMax longest first line, in octets; 0 when there is none, and heads are not compared
     * @param bytesMax longest head, in octets, the first line aside
     */
    HeadParser(Texts texts, int firstLineMax, int bytesMax) {
        this.texts = texts;
        this.fields = new FieldTable(texts);
        this.firstLineMax = firstLineMax;
        this.bytesMax = bytesMax;
        this.firstLineRead = firstLineMax == 0;
        fields.moved(octets, 0);
    }

    /** Sets other limits, for what is read from now on; there are first lines as before. */
    final void limit(int firstLine, int bytes) {
        firstLineMax = firstLine;
        bytesMax = bytes;
    }

    /** Takes the first line, {@code start..end} without its line end. */
    abstract void firstLine(byte[] head, int start, int end);

    /** The first line is that of the head before, which was valid. */
    abstract void firstLineAgain();

    /** Returns the error for a first line that is too long. */
    abstract ErrorKind firstLineTooLong();

    /** Returns whether empty lines before the first one are ignored. */
    boolean skipsEmptyLines() {
        return false;
    }

    /** Returns whether white space between a field name and its colon is removed; else it is refused. */
    boolean removesBlanks() {
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
            case 1 -> lines(origin) + lines(originBefore) + fields.prefetch(0);
            default -> fields.prefetch(distance - 1);
        };
    }

    /** Reads something of each cache line of a head of usual length. */
    private int lines(int from) {
        return octets[from] + octets[from + 64] + octets[from + 128] + octets[from + 192] + octets[from + 256];
    }

    FieldTable fields() {
        return fields;
    }

    /** Begins another head; the one before, its fields included, is gone. */
    void reset() {
        boolean comparable = complete && firstLineMax > 0;
        if (octets.length > KEPT_BYTES_MAX) {
            comparable = false;
            octets = new byte[CAPACITY_MIN];
            fields.moved(octets, 0);
            origin = 0;
        }
        int other = octets.length / 2 - origin;
        if (comparable) {
            originBefore = origin;
            fieldsStartBefore = fieldsStart;
            endBefore = filled;
            origin = other;
        } else {
            originBefore = other;
            fieldsStartBefore = other;
            endBefore = other;
        }
        fields.reset(comparable);
        filled = origin;
        nextLine(origin);
        fieldsStart = origin;
        firstLineRead = firstLineMax == 0;
        complete = false;
        comparing = false;
    }

    /**
     * Returns how much memory there is for this head and the one before, beside what each connection has, in octets.
     */
    int surplus() {
        return octets.length - CAPACITY_MIN + fields.surplus();
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
                complete = true;
                fields.complete();
                return true;
            }
        }
        return false;
    }

    private void take(ByteBuf in) {
        if (filled == origin + octets.length / 2) {
            grow();
        }
        int step = Math.min(Math.max(STEP_BYTES, endBefore - originBefore), origin + octets.length / 2 - filled);
        step = Math.min(step, in.readableBytes());
        in.readBytes(octets, filled, step);
        filled += step;
    }

    /** Doubles both halves; the upper one moves. */
    private void grow() {
        int half = octets.length / 2;
        octets = Arrays.copyOf(octets, octets.length * 2);
        System.arraycopy(octets, half, octets, 2 * half, half);
        if (origin > 0) {
            origin += half;
            filled += half;
            lineStart += half;
            searched += half;
            fieldsStart += half;
        } else {
            originBefore += half;
            fieldsStartBefore += half;
            endBefore += half;
        }
        fields.moved(octets, fieldsStart);
    }

    /** Reads the lines that are there; returns where the head ends, -1 when it goes on. */
    private int parse() {
        while (true) {
            if (comparing) {
                keep();
            }
            int end = lineEnd();
            if (end < 0) {
                checkLine(filled - 1);
                return -1;
            }
            checkLine(end);
            int start = lineStart;
            boolean valid = plain;
            nextLine(end + 2);
            if (!firstLineRead) {
                readFirstLine(start, end);
            } else if (start == end) {
                return lineStart;
            } else {
                comparing = readField(start, end, valid);
            }
        }
    }

    private void nextLine(int start) {
        lineStart = start;
        searched = start;
        plain = true;
    }

    /** Skips the lines that follow as they did in the head before; their fields are kept. */
    private void keep() {
        comparing = false;
        int from = fields.nextBefore();
        if (from < 0) {
            return;
        }
        int first = fieldsStartBefore + from;
        int most = Math.min(filled - lineStart, endBefore - first);
        int same = Arrays.mismatch(octets, lineStart, lineStart + most, octets, first, first + most);
        int length = fields.keep(from + (same < 0 ? most : same), lineStart - fieldsStart - from);
        if (length > 0) {
            nextLine(lineStart + length);
            checkFields(lineStart);
        }
    }

    /** Returns where the line ends that is read, its line end aside; -1 when that has not arrived. */
    private int lineEnd() {
        if (plain) {
            searched = Octets.control(octets, searched, filled);
            if (searched == filled || (octets[searched] == Octets.CR && searched + 1 == filled)) {
                return -1;
            }
            plain = octets[searched] == Octets.CR && octets[searched + 1] == Octets.LF;
            if (plain) {
                return searched;
            }
        }
        int lf = Octets.lineFeed(octets, searched, filled);
        if (lf == filled) {
            searched = filled;
            return -1;
        }
        int end = lf - 1;
        if (end < lineStart || octets[end] != Octets.CR) {
            checkLine(end);
            throw InvalidMessage.malformed("a line that does not end in CRLF");
        }
        return end;
    }

    /** Checks the length of a line that ends at {@code end}, or not before. */
    private void checkLine(int end) {
        if (!firstLineRead) {
            // Empty lines before the first one may be as long as that together.
            if (end - lineStart > firstLineMax || lineStart - origin > firstLineMax) {
                throw new InvalidMessage(firstLineTooLong(), "first line");
            }
        } else if (end > lineStart) {
            checkFields(end + 2);
        }
    }

    /** Checks the length of all lines up to {@code end}. */
    private void checkFields(int end) {
        if (end - fieldsStart > bytesMax) {
            throw new InvalidMessage(ErrorKind.HEAD_TOO_LARGE, "head");
        }
    }

    private void readFirstLine(int start, int end) {
        if (start == end && skipsEmptyLines()) {
            return;
        }
        firstLineRead = true;
        fieldsStart = lineStart;
        fields.begin(fieldsStart);
        comparing = endBefore > originBefore;
        if (comparing && Arrays.equals(octets, origin, fieldsStart, octets, originBefore, fieldsStartBefore)) {
            firstLineAgain();
        } else {
            firstLine(octets, start, end);
        }
    }

    /**
     * @param valid whether the line has no control octets
     * @return whether the lines that follow may be those of the head before
     */
    private boolean readField(int start, int end, boolean valid) {
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
        if (i > start && isBlank(octets[i]) && removesBlanks()) {
            moveColon(i);
        }
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
        if (!valid && !Octets.isFieldValue(octets, valueStart, valueEnd)) {
            throw InvalidMessage.malformed("field value");
        }
        return fields.parsed(
                start, end + 2 - start, i - start, valueStart - start, valueEnd - start, hash, underscored);
    }

    /** Lets the colon and the white space before it, which begins at {@code from}, change places. */
    private void moveColon(int from) {
        int colon = from;
        while (isBlank(octets[colon])) {
            colon++;
        }
        if (octets[colon] == Octets.COLON) {
            octets[colon] = Octets.SP;
            octets[from] = Octets.COLON;
        }
    }

    private static boolean isBlank(byte octet) {
        return octet == Octets.SP || octet == Octets.HTAB;
    }
}
