package io.sigma.dataplane.telemetry;

import io.sigma.dataplane.loop.EncodedTexts;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of a line while it is made. Nothing is allocated but for lines that are longer than any before. Confined to
 * one event loop.
 */
final class LineBuffer {

    private static final int BYTES = 8 * 1024;
    private static final int BYTES_MAX = 64 * 1024;
    private static final int LONG_BYTES = 1024 * 1024;
    private static final int LONG_DIGITS = 20;
    private static final int JSON_BYTES_MAX = 6;
    private static final int ESCAPED_BYTES_MAX = 8;
    private static final byte[] LOWER_HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] UPPER_HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private final EncodedTexts jsonTexts = new EncodedTexts();
    private byte[] bytes = new byte[BYTES];
    private int end;

    /** Begins a line. */
    void reset() {
        end = 0;
        if (bytes.length > BYTES_MAX) {
            bytes = new byte[BYTES];
        }
    }

    /** Returns the array with the line at its beginning, until something is appended. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return end;
    }

    /** Returns whether the line is so long that nothing a client chose is to be appended any more. */
    boolean isLong() {
        return end >= LONG_BYTES;
    }

    /** Makes room for {@code most} further bytes. */
    private void reserve(int most) {
        if (bytes.length - end < most) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, end + most));
        }
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
        byte[] known = jsonTexts.of(text);
        if (known == null) {
            int from = end;
            encodeJson(text);
            jsonTexts.encoded(text, bytes, from, end);
        } else {
            put(known);
        }
    }

    private void encodeJson(String text) {
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
