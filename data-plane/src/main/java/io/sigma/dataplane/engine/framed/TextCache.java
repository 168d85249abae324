package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Texts that come again and again, such as names of services: bytes that are known become the same object. It keeps
 * {@value #SLOTS} short texts at most. Confined to the event loop.
 */
final class TextCache {

    private static final int SLOTS = 512;
    private static final int LENGTH_MAX = 256;

    private final byte[] scratch = new byte[LENGTH_MAX];
    private final byte[] @Nullable [] keys = new byte[SLOTS][];
    private final @Nullable String[] texts = new String[SLOTS];

    /** Returns the text of some bytes, which are UTF-8; what is not valid is replaced. */
    String text(ByteBuf in, int at, int length) {
        if (length == 0) {
            return "";
        }
        if (length > LENGTH_MAX) {
            return in.toString(at, length, StandardCharsets.UTF_8);
        }
        in.getBytes(at, scratch, 0, length);
        int slot = hash(scratch, length) & SLOTS - 1;
        byte[] key = keys[slot];
        String known = texts[slot];
        if (known != null && key != null && Arrays.equals(key, 0, key.length, scratch, 0, length)) {
            return known;
        }
        String made = new String(scratch, 0, length, StandardCharsets.UTF_8);
        keys[slot] = Arrays.copyOf(scratch, length);
        texts[slot] = made;
        return made;
    }

    private static int hash(byte[] bytes, int length) {
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash ^ hash >>> 16;
    }
}
