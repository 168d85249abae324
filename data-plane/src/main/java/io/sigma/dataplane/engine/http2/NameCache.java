package io.sigma.dataplane.engine.http2;

import io.netty.util.AsciiString;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of fields in lower case, as HTTP/2 has them (RFC 9113 §8.2): nodes send the same few again and again. Of two
 * that fall on one slot the later stays. Bounded; confined to one event loop.
 */
final class NameCache {

    private static final int SLOTS = 256;
    private static final int LENGTH_MAX = 64;

    /** Fields that belong to one connection of HTTP/1.1 (RFC 9113 §8.2.2). */
    private static final Set<String> OF_CONNECTIONS = Set.of(
            "connection", "http2-settings", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade");

    /**
     * @param lower null when no message of HTTP/2 has such a field
     */
    private record Known(String name, @Nullable AsciiString lower) {

        static Known of(String name) {
            String text = name.toLowerCase(Locale.ROOT);
            return new Known(name, OF_CONNECTIONS.contains(text) ? null : new AsciiString(text));
        }
    }

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

    /** Returns {@code name} in lower case; null when no message of HTTP/2 has such a field. */
    @Nullable
    CharSequence lower(String name) {
        if (name.length() > LENGTH_MAX) {
            return name.toLowerCase(Locale.ROOT);
        }
        int hash = name.hashCode();
        int slot = (hash ^ hash >>> 8 ^ hash >>> 16) & (SLOTS - 1);
        Known known = slots[slot];
        if (known == null || !known.name.equals(name)) {
            known = Known.of(name);
            slots[slot] = known;
        }
        return known.lower;
    }
}
