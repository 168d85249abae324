package io.sigma.json;

import com.fasterxml.jackson.core.JsonParseException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Checks that bytes are UTF-8 (RFC 3629), which JSON between systems must be (RFC 8259 §8.1). The parsers guess UTF-16
 * and UTF-32 too, and accept overlong forms, so two readers of one body could see different texts. Pure.
 */
final class Utf8 {

    private static final int CHARS = 4_096;

    private Utf8() {}

    /**
     * Returns normally if {@code bytes} are UTF-8 without NUL. Neither JSON nor YAML contains NUL. UTF-16 and UTF-32
     * contain it in each of their brackets and colons.
     *
     * @throws JsonParseException if they are not, with the index of the first byte that is wrong
     */
    static void require(byte[] bytes) throws JsonParseException {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(CHARS);
        CoderResult result;
        do {
            out.clear();
            result = decoder.decode(in, out, true);
        } while (result.isOverflow());
        if (result.isError()) {
            throw new JsonParseException(null, "byte " + in.position() + " is not UTF-8 (expected: UTF-8)");
        }
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                throw new JsonParseException(null, "byte " + i + " is NUL (expected: UTF-8 without NUL)");
            }
        }
    }
}
