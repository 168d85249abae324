package io.sigma.dataplane.telemetry;

import java.nio.charset.StandardCharsets;

/**
 * The bytes of a line while it is made: in the block that it goes into, or, when there turns out to be too little room, in an
 * array of its own. Nothing is allocated but for lines that are longer than any before. Confined to one event loop.
 */
final class LineBuffer {

    private static final int SPILL_BYTES = 8 * 1024;
    private static final int SPILL_BYTES_MAX = 64 * 1024;
    private static final int LONG_DIGITS = 20;
    private static final int JSON_BYTES_MAX = 6;
    private static final int ESCAPED_BYTES_MAX = 8;
    private static final byte[] LOWER_HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] UPPER_HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private byte[] spill = new byte[SPILL_BYTES];
    private byte[] bytes = spill;
    private int start;
    private int end;

    /** Begins a line at {@code offset} of {@code into}. */
    void begin(byte[] into, int offset) {
        bytes = into;
        start = offset;
        end = offset;
    }

    /** Returns whether the whole line is where it was begun; else it has to be {@link #copy copied}. */
    boolean isInPlace() {
        return bytes != spill;
    }

    /** Returns where the line ends in the array in which it was begun. */
    int end() {
        return end;
    }

    int length() {
        return end - start;
    }

    /** Copies the line to {@code offset} of {@code into}, and forgets it. */
    void copy(byte[] into, int offset) {
        System.arraycopy(bytes, start, into, offset, length());
        forget();
    }

    /** Forgets a line that was not made in place. */
    void forget() {
        if (spill.length > SPILL_BYTES_MAX) {
            spill = new byte[SPILL_BYTES];
        }
    }

    /** Makes room for {@code most} further bytes. */
    private void reserve(int most) {
        if (bytes.length - end < most) {
            spill(most);
        }
    }

    private void spill(int most) {
        int length = length();
        byte[] larger = spill;
        if (larger.length < length + most) {
            larger = new byte[Math.max(2 * spill.length, length + most)];
        }
        System.arraycopy(bytes, start, larger, 0, length);
        spill = larger;
        bytes = larger;
        start = 0;
        end = length;
    }

    void put(char ascii) {
        reserve(1);
        bytes[end++] = (byte) ascii;
    }

    void put(byte[] ascii) {
        put(ascii, 0, ascii.length);
    }

    void put(byte[] ascii, int offset, int length) {
        reserve(length);
        System.arraycopy(ascii, offset, bytes, end, length);
        end += length;
    }

    /** Copies the bytes of the line from {@code from} on, counted from its beginning, to the beginning of {@code into}. */
    void read(int from, byte[] into) {
        System.arraycopy(bytes, start + from, into, 0, length() - from);
    }

    void number(long value) {
        if (value < 0) {
            put(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
            return;
        }
        reserve(LONG_DIGITS);
        int at = end + digits(value);
        end = at;
        long rest = value;
        while (rest > Integer.MAX_VALUE) {
            bytes[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        int small = (int) rest;
        do {
            bytes[--at] = (byte) ('0' + small % 10);
            small /= 10;
        } while (small > 0);
    }

    private static int digits(long value) {
        int digits = 1;
        for (long bound = 10; digits < LONG_DIGITS - 1 && value >= bound; bound *= 10) {
            digits++;
        }
        return digits;
    }

    /** Appends {@code value}, which is below 1000, as three digits. */
    void threeDigits(int value) {
        reserve(3);
        bytes[end++] = (byte) ('0' + value / 100);
        bytes[end++] = (byte) ('0' + value / 10 % 10);
        bytes[end++] = (byte) ('0' + value % 10);
    }

    /** Appends {@code text}, which is ASCII, as it is. */
    void ascii(String text) {
        int length = text.length();
        reserve(length);
        for (int i = 0; i < length; i++) {
            bytes[end++] = (byte) text.charAt(i);
        }
    }

    /** Appends {@code text} as it is in a text of JSON, in printable ASCII (RFC 8259 §7). */
    void json(String text) {
        int length = text.length();
        reserve(length * JSON_BYTES_MAX);
        byte[] to = bytes;
        int at = end;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                to[at++] = (byte) c;
            } else if (c == '"' || c == '\\') {
                to[at++] = '\\';
                to[at++] = (byte) c;
            } else {
                to[at++] = '\\';
                to[at++] = 'u';
                to[at++] = LOWER_HEX[c >> 12];
                to[at++] = LOWER_HEX[c >> 8 & 15];
                to[at++] = LOWER_HEX[c >> 4 & 15];
                to[at++] = LOWER_HEX[c & 15];
            }
        }
        end = at;
    }

    /** Appends {@code text} as nginx does where it escapes by default: what is not plain becomes {@code \xHH}. */
    void escaped(String text) {
        int length = text.length();
        reserve(length * ESCAPED_BYTES_MAX);
        byte[] to = bytes;
        int at = end;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                to[at++] = (byte) c;
            } else {
                if (c > 0xff) {
                    at = hex(to, at, c >> 8);
                }
                at = hex(to, at, c & 0xff);
            }
        }
        end = at;
    }

    private static int hex(byte[] to, int at, int value) {
        to[at] = '\\';
        to[at + 1] = 'x';
        to[at + 2] = UPPER_HEX[value >> 4];
        to[at + 3] = UPPER_HEX[value & 15];
        return at + 4;
    }

    private static boolean isPlain(char c) {
        return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
    }
}
