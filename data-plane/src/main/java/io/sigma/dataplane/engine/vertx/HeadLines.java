package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpConstants;

/** Looks at the lines of a head before Netty's decoder does, which joins folded lines as if they had been one. Pure. */
final class HeadLines {

    /** A line of the head, or of what should be one, begins with white space (RFC 9112 §2.2, §5.2). */
    static final class Folded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Folded() {
            super("a line of the head begins with white space", null, false, false);
        }
    }

    private HeadLines() {}

    /**
     * Returns whether a line up to the end of the head, or of what is there of it, begins with white space.
     *
     * @param in begins with a line
     * @param inFields whether that is one of the fields; if not, the first line of the head is still to come
     */
    static boolean isFolded(ByteBuf in, boolean inFields) {
        int end = in.writerIndex();
        int line = in.readerIndex();
        if (!inFields) {
            while (line < end && (in.getByte(line) == HttpConstants.CR || in.getByte(line) == HttpConstants.LF)) {
                line++;
            }
        }
        while (line < end) {
            byte first = in.getByte(line);
            if (first == HttpConstants.SP || first == HttpConstants.HT) {
                return true;
            }
            int feed = in.indexOf(line, end, HttpConstants.LF);
            boolean last = feed == line || (feed == line + 1 && first == HttpConstants.CR);
            if (feed < 0 || last) {
                return false;
            }
            line = feed + 1;
        }
        return false;
    }
}
