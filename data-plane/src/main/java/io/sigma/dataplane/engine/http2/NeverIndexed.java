package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields of a block that their sender never wants in a table of compression: whoever sends them on has to say
 * so again (RFC 7541 §6.2.3). The decoder of Netty does not tell. Pure.
 */
final class NeverIndexed {

    private static final int INDEXED = 0x80;
    private static final int INCREMENTAL = 0x40;
    private static final int SIZE_UPDATE = 0x20;
    private static final int NEVER = 0x10;

    private final ByteBuf block;
    private final int end;
    private int at;

    private NeverIndexed(ByteBuf block) {
        this.block = block;
        this.at = block.readerIndex();
        this.end = block.writerIndex();
    }

    /**
     * Returns which fields of {@code block} are never indexed, by their numbers from 0; null where none is. The decoder
     * handles a malformed field and all fields after it.
     */
    static @Nullable BitSet in(ByteBuf block) {
        return new NeverIndexed(block).find();
    }

    private @Nullable BitSet find() {
        BitSet found = null;
        int field = 0;
        while (at < end) {
            int first = block.getByte(at);
            if ((first & INDEXED) != 0) {
                number(7);
                field++;
            } else if ((first & INCREMENTAL) != 0) {
                literal(6);
                field++;
            } else if ((first & SIZE_UPDATE) != 0) {
                number(5);
            } else {
                if ((first & NEVER) != 0) {
                    found = found == null ? new BitSet() : found;
                    found.set(field);
                }
                literal(4);
                field++;
            }
        }
        return found;
    }

    private void literal(int prefixBits) {
        if (number(prefixBits) == 0) {
            text();
        }
        text();
    }

    private void text() {
        if (at < end) {
            long length = number(7);
            at = (int) Math.min(end, at + length);
        }
    }

    /** Reads a number (RFC 7541 §5.1). */
    private long number(int prefixBits) {
        int mask = (1 << prefixBits) - 1;
        long number = block.getByte(at++) & mask;
        if (number < mask) {
            return number;
        }
        for (int shift = 0; at < end && shift < Integer.SIZE; shift += 7) {
            int octet = block.getByte(at++);
            number += (long) (octet & 0x7f) << shift;
            if (octet >= 0) {
                return number;
            }
        }
        at = end;
        return number;
    }
}
