package io.sigma.dataplane.engine.http1;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Texts that were read from heads lately: most requests say what others said a moment ago, so that no text is made
 * again. Of two that fall on one slot the later stays. Bounded by {@value #SLOTS} texts of {@value #LENGTH_MAX} octets;
 * confined to one event loop.
 */
final class Texts {

    private static final int SLOTS = 2048;
    private static final int LENGTH_MAX = 256;

    private final @Nullable String[] texts = new @Nullable String[SLOTS];
    private final byte[][] octets = new byte[SLOTS][];

    Texts() {
        Arrays.fill(octets, new byte[0]);
    }

    /** Returns {@code from..to} as text. */
    String of(byte[] head, int from, int to) {
        int length = to - from;
        if (length == 0) {
            return "";
        }
        if (length > LENGTH_MAX) {
            return new String(head, from, length, StandardCharsets.ISO_8859_1);
        }
        int slot = Octets.hash(head, from, to) & (SLOTS - 1);
        String known = texts[slot];
        byte[] of = octets[slot];
        if (known == null || !Arrays.equals(head, from, to, of, 0, of.length)) {
            known = new String(head, from, length, StandardCharsets.ISO_8859_1);
            texts[slot] = known;
            octets[slot] = Arrays.copyOfRange(head, from, to);
        }
        return known;
    }
}
