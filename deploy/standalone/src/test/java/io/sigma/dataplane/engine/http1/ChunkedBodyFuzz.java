package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * Bodies in chunks: the same whole and in pieces, and what was taken is taken again when it is sent in other chunks.
 */
public final class ChunkedBodyFuzz {

    private static final int TRAILERS_MAX = 200;
    private static final String REFUSED = "refused";

    private ChunkedBodyFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        StringBuilder body = new StringBuilder();
        String atOnce = read(data, data.length, body);
        for (int piece : new int[] {1, 3, 64}) {
            StringBuilder pieces = new StringBuilder();
            String cut = read(data, piece, pieces);
            boolean sameBody = pieces.toString().contentEquals(body);
            if (!cut.equals(atOnce) || !(sameBody || atOnce.equals(REFUSED))) {
                throw new AssertionError("in pieces of " + piece + ": " + cut + " (expected: " + atOnce + ")");
            }
        }
        if (body.length() > data.length) {
            throw new AssertionError("more data than octets");
        }
        if (atOnce.startsWith("over") && body.length() > 0) {
            String sent = Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
            StringBuilder again = new StringBuilder();
            read(sent.getBytes(StandardCharsets.ISO_8859_1), 5, again);
            if (!again.toString().contentEquals(body)) {
                throw new AssertionError("another body than was sent");
            }
        }
    }

    private static String read(byte[] data, int piece, StringBuilder body) {
        BodyReader reader = new BodyReader(new Texts(), TRAILERS_MAX, false);
        reader.begin(Framing.CHUNKED);
        ByteBuf all = Unpooled.wrappedBuffer(data);
        try {
            while (all.isReadable() && !reader.isOver()) {
                int from = all.readerIndex();
                int length = Math.min(piece, all.readableBytes());
                ByteBuf next = Unpooled.copiedBuffer(all.slice(from, length));
                ByteBuf left = reader.read(next, taken -> {
                    body.append(taken.toString(StandardCharsets.ISO_8859_1));
                    taken.release();
                });
                all.readerIndex(from + length - left.readableBytes());
                left.release();
            }
        } catch (InvalidMessage e) {
            return REFUSED;
        }
        StringBuilder seen = new StringBuilder(reader.isOver() ? "over, " + all.readableBytes() + " left" : "goes on");
        FieldTable trailers = reader.isOver() ? reader.trailers() : null;
        if (trailers != null) {
            trailers.forEach(
                    (name, value) -> seen.append('\n').append(name).append(": ").append(value));
        }
        return seen.toString();
    }
}
