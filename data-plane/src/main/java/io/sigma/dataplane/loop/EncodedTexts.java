package io.sigma.dataplane.loop;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Octets of texts that were encoded lately. Hosts, paths and methods come again as the same objects, and copying octets
 * costs a fraction of encoding characters. What comes once costs a reference: octets are kept when a text comes for the
 * second time. Of two that fall on one slot the later stays. Bounded by {@value #SLOTS} texts of {@value #LENGTH_MAX}
 * characters; confined to one event loop.
 */
public final class EncodedTexts {

    private static final int SLOTS = 512;
    private static final int LENGTH_MAX = 256;

    private final @Nullable String[] texts = new @Nullable String[SLOTS];
    private final byte[] @Nullable [] octets = new byte[SLOTS][];

    /** Returns the octets of {@code text}, not to be changed; null when they are not known. */
    @SuppressWarnings("ReferenceEquality") // It is the same object mostly, and else it is encoded again.
    public byte @Nullable [] of(String text) {
        if (text.length() > LENGTH_MAX) {
            return null;
        }
        int slot = slot(text);
        return texts[slot] == text ? octets[slot] : null;
    }

    /** Notes that {@code text} was encoded as {@code from..to}. */
    @SuppressWarnings("ReferenceEquality")
    public void encoded(String text, byte[] encoding, int from, int to) {
        if (text.length() > LENGTH_MAX) {
            return;
        }
        int slot = slot(text);
        if (texts[slot] != text) {
            texts[slot] = text;
            octets[slot] = null;
        } else {
            octets[slot] = Arrays.copyOfRange(encoding, from, to);
        }
    }

    private static int slot(String text) {
        int hash = text.hashCode();
        return (hash ^ hash >>> 16) & (SLOTS - 1);
    }
}
