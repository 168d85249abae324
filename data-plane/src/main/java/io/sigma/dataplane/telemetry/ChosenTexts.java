package io.sigma.dataplane.telemetry;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What lines of JSON have of the configuration: proxy server to node. These texts are the same objects until a snapshot changes
 * them, so what was written for them lately is copied. Confined to one event loop.
 */
final class ChosenTexts {

    private static final int SLOTS = 256;
    private static final int TEXT_BYTES = 256;

    private static final byte[] PROXY_SERVER = ascii("\",\"proxyServer\":\"");
    private static final byte[] ROUTER = ascii("\",\"router\":\"");
    private static final byte[] ROUTE = ascii("\",\"route\":\"");
    private static final byte[] PROXY_PASS = ascii("\",\"proxyPass\":\"");
    private static final byte[] UPSTREAM = ascii("\",\"upstream\":\"");
    private static final byte[] NODE = ascii("\",\"node\":\"");

    private static final class Text {
        private @Nullable String proxyServer;
        private @Nullable String router;
        private @Nullable String route;
        private @Nullable String proxyPass;
        private @Nullable String upstream;
        private @Nullable String node;
        private byte[] bytes = new byte[TEXT_BYTES];
        private int length;

        @SuppressWarnings("ReferenceEquality") // Equal texts that are not the same are only written once more.
        boolean isOf(AccessRecord log) {
            return route == log.route
                    && node == log.node
                    && proxyServer == log.proxyServer
                    && router == log.router
                    && proxyPass == log.proxyPass
                    && upstream == log.upstream;
        }

        void set(AccessRecord log, LineBuffer line, int from) {
            proxyServer = log.proxyServer;
            router = log.router;
            route = log.route;
            proxyPass = log.proxyPass;
            upstream = log.upstream;
            node = log.node;
            length = line.length() - from;
            if (length > bytes.length) {
                bytes = new byte[length];
            }
            System.arraycopy(line.bytes(), from, bytes, 0, length);
        }
    }

    private final @Nullable Text[] texts = new @Nullable Text[SLOTS];

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Appends what follows the time, but for the quote that ends the last text. */
    void write(AccessRecord log, LineBuffer line) {
        int hash = 31 * Objects.hashCode(log.route) + Objects.hashCode(log.node);
        int slot = (hash ^ hash >>> 8 ^ hash >>> 16) & (SLOTS - 1);
        Text known = texts[slot];
        if (known != null && known.isOf(log)) {
            line.put(known.bytes, 0, known.length);
            return;
        }
        int from = line.length();
        line.put(PROXY_SERVER);
        line.json(log.proxyServer);
        text(line, ROUTER, log.router);
        text(line, ROUTE, log.route);
        text(line, PROXY_PASS, log.proxyPass);
        text(line, UPSTREAM, log.upstream);
        text(line, NODE, log.node);
        if (known == null) {
            known = new Text();
            texts[slot] = known;
        }
        known.set(log, line, from);
    }

    private static void text(LineBuffer line, byte[] name, @Nullable String value) {
        if (value != null) {
            line.put(name);
            line.json(value);
        }
    }
}
