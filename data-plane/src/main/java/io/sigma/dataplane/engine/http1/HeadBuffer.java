package io.sigma.dataplane.engine.http1;

import io.sigma.dataplane.loop.EncodedTexts;
import java.util.Arrays;

/**
 * Where a head is put together before it is copied to the way out at once: checks for room and for who holds a buffer
 * are made once a head instead of once a piece. One serves all connections of an event loop, to which it is confined.
 */
final class HeadBuffer {

    private static final int INITIAL_BYTES = 4096;
    /** A larger array, which some head needed, is not kept. */
    private static final int KEPT_BYTES_MAX = 64 * 1024;

    private final EncodedTexts texts = new EncodedTexts();
    private byte[] octets = new byte[INITIAL_BYTES];
    private int length;

    /** Begins another head. */
    HeadBuffer begin() {
        length = 0;
        if (octets.length > KEPT_BYTES_MAX) {
            octets = new byte[INITIAL_BYTES];
        }
        return this;
    }

    byte[] octets() {
        return octets;
    }

    int length() {
        return length;
    }

    HeadBuffer put(byte[] all) {
        return put(all, 0, all.length);
    }

    HeadBuffer put(byte[] from, int start, int count) {
        grow(count);
        System.arraycopy(from, start, octets, length, count);
        length += count;
        return this;
    }

    HeadBuffer put(char octet) {
        grow(1);
        octets[length++] = (byte) octet;
        return this;
    }

    /** Writes a text in Latin-1; what that has not becomes a question mark, so that nothing turns into a line end. */
    HeadBuffer put(String text) {
        byte[] known = texts.of(text);
        if (known != null) {
            return put(known);
        }
        int from = length;
        encode(text);
        texts.encoded(text, octets, from, length);
        return this;
    }

    private void encode(String text) {
        int count = text.length();
        grow(count);
        byte[] to = octets;
        int at = length;
        for (int i = 0; i < count; i++) {
            char c = text.charAt(i);
            to[at + i] = (byte) (c > 0xff ? '?' : c);
        }
        length = at + count;
    }

    /** Writes one field with its line end. */
    HeadBuffer field(String name, String value) {
        return put(name).put(':').put(' ').put(value).crlf();
    }

    HeadBuffer crlf() {
        grow(2);
        octets[length] = Octets.CR;
        octets[length + 1] = Octets.LF;
        length += 2;
        return this;
    }

    private void grow(int more) {
        if (octets.length - length < more) {
            octets = Arrays.copyOf(octets, Math.max(octets.length * 2, length + more));
        }
    }
}
