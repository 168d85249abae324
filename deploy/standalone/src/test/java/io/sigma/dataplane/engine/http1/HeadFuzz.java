package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** What holds for heads of requests and of responses, whatever the bytes are. */
final class HeadFuzz {

    static final int FIRST_LINE_MAX = 200;
    private static final int HEAD_MAX = 400;
    /** A head may be longer when it is printed, by a space in each field. */
    private static final int PRINTED_MAX = 2 * HEAD_MAX;

    private static final String REFUSED = "refused";
    private static final String INCOMPLETE = "incomplete";

    private HeadFuzz() {}

    /**
     * Reads {@code data} at once, byte by byte, and after another head: it must mean the same. What was taken is
     * printed and read again.
     *
     * @param limited makes a parser that takes heads of so many octets
     * @param print returns all that a parser has read, as a head
     */
    static <P extends HeadParser> void check(
            byte[] data, IntFunction<P> limited, Function<P, String> print, String other) {
        Supplier<P> parsers = () -> limited.apply(HEAD_MAX);
        String atOnce = read(parsers.get(), data, data.length, print);
        same("byte by byte", atOnce, read(parsers.get(), data, 1, print));
        P used = parsers.get();
        used.read(Unpooled.copiedBuffer(other, StandardCharsets.ISO_8859_1));
        used.reset();
        same("after another head", atOnce, read(used, data, data.length, print));
        used.reset();
        same("once more", atOnce, read(used, data, 7, print));
        if (!atOnce.equals(REFUSED) && !atOnce.equals(INCOMPLETE)) {
            String head = atOnce.substring(atOnce.indexOf('\n') + 1);
            byte[] printed = head.getBytes(StandardCharsets.ISO_8859_1);
            String again = read(limited.apply(PRINTED_MAX), printed, printed.length, print);
            same("printed", head, again.substring(again.indexOf('\n') + 1));
        }
    }

    /** Returns how many bytes follow the head, and the head in a normal form; or that it is refused, or incomplete. */
    private static <P extends HeadParser> String read(P parser, byte[] data, int piece, Function<P, String> print) {
        ByteBuf all = Unpooled.wrappedBuffer(data);
        try {
            while (all.isReadable()) {
                ByteBuf next = all.readSlice(Math.min(piece, all.readableBytes()));
                if (parser.read(next)) {
                    return (next.readableBytes() + all.readableBytes()) + "\n" + print.apply(parser) + fields(parser);
                }
            }
        } catch (InvalidMessage e) {
            return REFUSED;
        }
        return INCOMPLETE;
    }

    private static String fields(HeadParser parser) {
        StringBuilder text = new StringBuilder();
        parser.fields().forEach((name, value) -> {
            if (name.isEmpty() || !name.chars().allMatch(HeadFuzz::isToken)) {
                throw new AssertionError("a name that is no token: " + name);
            }
            if (value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f) || !value.equals(value.strip())) {
                throw new AssertionError("a value that none may be: " + value);
            }
            text.append(name).append(": ").append(value).append("\r\n");
        });
        return text.append("\r\n").toString();
    }

    private static boolean isToken(int c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }

    private static void same(String how, String expected, String actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError(how + ": " + actual + " (expected: " + expected + ")");
        }
    }
}
