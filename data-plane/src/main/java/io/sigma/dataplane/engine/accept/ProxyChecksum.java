package io.sigma.dataplane.engine.accept;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The checksum that a header of version 2 of the PROXY protocol may have (section 2.2.3). Thread-safe. */
final class ProxyChecksum {

    /** Version 2, on behalf of a client. */
    private static final int PROXY = 0x21;

    private static final int VERSION_AT = 12;
    private static final int FAMILY_AT = 13;
    private static final int FIXED_BYTES = 16;
    private static final int TYPE_CHECKSUM = 3;
    private static final int CHECKSUM_BYTES = 4;
    /** The bytes of the addresses, by family: none, IPv4, IPv6, Unix. */
    private static final int[] ADDRESS_BYTES = {0, 12, 36, 216};

    private ProxyChecksum() {}

    /**
     * Returns whether no checksum is wrong in the valid header of {@code length} bytes that begins at {@code at}. A
     * header may have none. What a header about nobody (LOCAL) has is not read.
     */
    static boolean isRight(ByteBuf in, int at, int length) {
        if (in.getByte(at) != '\r' || in.getByte(at + VERSION_AT) != PROXY) {
            return true;
        }
        int end = at + length;
        int next = at + FIXED_BYTES + ADDRESS_BYTES[in.getUnsignedByte(at + FAMILY_AT) >>> 4 & 3];
        while (end - next > 2) {
            int value = next + 3;
            int bytes = in.getUnsignedShort(next + 1);
            if (in.getUnsignedByte(next) == TYPE_CHECKSUM
                    && (bytes != CHECKSUM_BYTES || sum(in, at, value, end) != in.getInt(value))) {
                return false;
            }
            next = value + bytes;
        }
        return true;
    }

    /** Returns the sum of a header as if its checksum at {@code value} was 0. */
    private static int sum(ByteBuf in, int at, int value, int end) {
        CRC32C sum = new CRC32C();
        add(sum, in, at, value);
        sum.update(new byte[CHECKSUM_BYTES]);
        add(sum, in, value + CHECKSUM_BYTES, end);
        return (int) sum.getValue();
    }

    private static void add(CRC32C sum, ByteBuf in, int from, int to) {
        for (ByteBuffer part : in.nioBuffers(from, to - from)) {
            sum.update(part);
        }
    }
}
