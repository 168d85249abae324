package io.sigma.dataplane.telemetry;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The names of the configuration in JSON lines, from proxy server to node. These texts are the same objects until a
 * snapshot changes them, so their written form is cached and copied. The name of the route is not cached, because each
 * request may have another route of very many. Confined to one event loop.
 */
final class ChosenTexts {

    private static final int TEXT_BYTES = 128;
    private static final byte[] ROUTE = ascii("\",\"route\":\"");

    private final Texts before = new Texts(ascii("\",\"proxyServer\":\""), ascii("\",\"router\":\""), new byte[0]);
    private final Texts after =
            new Texts(ascii("\",\"proxyPass\":\""), ascii("\",\"upstream\":\""), ascii("\",\"node\":\""));

    /** Appends what follows the time, but for the quote that ends the last text. */
    void write(AccessRecord log, LineBuffer line) {
        before.write(line, log.proxyServer, log.router, null);
        text(line, ROUTE, log.route);
        after.write(line, log.proxyPass, log.upstream, log.node);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void text(LineBuffer line, byte[] label, @Nullable String name) {
        if (name != null) {
            line.put(label);
            line.json(name);
        }
    }

    /** The written form of three names. */
    private static final class Texts {

        private static final int SLOTS = 256;

        private final byte[] firstLabel;
        private final byte[] secondLabel;
        private final byte[] thirdLabel;
        private final @Nullable Text[] texts = new @Nullable Text[SLOTS];

        Texts(byte[] firstLabel, byte[] secondLabel, byte[] thirdLabel) {
            this.firstLabel = firstLabel;
            this.secondLabel = secondLabel;
            this.thirdLabel = thirdLabel;
        }

        void write(LineBuffer line, @Nullable String first, @Nullable String second, @Nullable String third) {
            int hash = 31 * (31 * Objects.hashCode(first) + Objects.hashCode(second)) + Objects.hashCode(third);
            int slot = (hash ^ hash >>> 8 ^ hash >>> 16) & (SLOTS - 1);
            Text known = texts[slot];
            if (known != null && known.isOf(first, second, third)) {
                line.put(known.bytes, 0, known.length);
                return;
            }
            int from = line.length();
            text(line, firstLabel, first);
            text(line, secondLabel, second);
            text(line, thirdLabel, third);
            if (known == null) {
                known = new Text();
                texts[slot] = known;
            }
            known.set(first, second, third, line, from);
        }
    }

    /** Used again for other names when its slot is, so that many names make no garbage. */
    private static final class Text {

        private @Nullable String first;
        private @Nullable String second;
        private @Nullable String third;
        private byte[] bytes = new byte[TEXT_BYTES];
        private int length;

        @SuppressWarnings("ReferenceEquality") // Equal texts that are not the same are only written once more.
        boolean isOf(@Nullable String otherFirst, @Nullable String otherSecond, @Nullable String otherThird) {
            return third == otherThird && second == otherSecond && first == otherFirst;
        }

        void set(
                @Nullable String newFirst,
                @Nullable String newSecond,
                @Nullable String newThird,
                LineBuffer line,
                int from) {
            first = newFirst;
            second = newSecond;
            third = newThird;
            length = line.length() - from;
            if (length > bytes.length) {
                bytes = new byte[length];
            }
            System.arraycopy(line.bytes(), from, bytes, 0, length);
        }
    }
}
