package io.sigma.controlplane.api.request;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Content codings of responses (RFC 9110, 8.4). */
public final class Encodings {

    public static final String BROTLI = "br";
    public static final String GZIP = "gzip";

    /** Less is not worth it. */
    private static final int BYTES_MIN = 1024;

    /** More costs too much memory at once: it is held as it is and compressed. */
    private static final int BYTES_MAX = 16 * 1024 * 1024;

    private Encodings() {}

    /** Returns whether a client whose {@code Accept-Encoding} this is takes {@code coding}. */
    public static boolean accepts(@Nullable String acceptEncoding, String coding) {
        if (acceptEncoding == null) {
            return false;
        }
        for (String each : acceptEncoding.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = each.split(";", -1);
            if (parts[0].strip().equals(coding)) {
                return parts.length == 1 || !isZero(parts[1].strip());
            }
        }
        return false;
    }

    private static boolean isZero(String parameter) {
        return parameter.equals("q=0")
                || (parameter.startsWith("q=0.") && parameter.chars().skip(4).allMatch(c -> c == '0'));
    }

    static boolean isWorthIt(int bytes) {
        return bytes >= BYTES_MIN && bytes <= BYTES_MAX;
    }

    static byte[] gzip(byte[] content) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(content.length / 4);
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }
}
