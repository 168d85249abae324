package io.sigma.dataplane.engine.http2;

import io.netty.util.AsciiString;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Names of fields in lower case, as HTTP/2 has them (RFC 9113 §8.2): nodes send the same few again and again. Of two that fall
 * on one slot the later stays. Bounded; confined to one event loop.
 */
final class NameCache {

    private static final int SLOTS = 256;
    private static final int LENGTH_MAX = 64;

    private record Known(String name, AsciiString lower) {}

    private static final FastThreadLocal<NameCache> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected NameCache initialValue() {
            return new NameCache();
        }
    };

    private final @Nullable Known[] slots = new @Nullable Known[SLOTS];

    private NameCache() {}

    /** Returns the one of the event loop that runs. */
    static NameCache ofLoop() {
        return OF_LOOP.get();
    }

    CharSequence lower(String name) {
        if (name.length() > LENGTH_MAX) {
            return name.toLowerCase(Locale.ROOT);
        }
        int hash = name.hashCode();
        int slot = (hash ^ hash >>> 8 ^ hash >>> 16) & (SLOTS - 1);
        Known known = slots[slot];
        if (known == null || !known.name.equals(name)) {
            known = new Known(name, new AsciiString(name.toLowerCase(Locale.ROOT)));
            slots[slot] = known;
        }
        return known.lower;
    }
}
