package io.sigma.dataplane.engine.uring;

import io.netty.buffer.ByteBuf;
import io.netty.channel.unix.Buffer;
import io.netty.util.internal.CleanableDirectBuffer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Asks the kernel for senders, which it reports before each datagram: {@code struct io_uring_recvmsg_out}, then the
 * address. Confined to the event loop.
 */
final class SenderHeader {

    /** Of {@code struct msghdr} on 64 bits. */
    private static final int MESSAGE_BYTES = 56;

    private static final int NAME_LENGTH_AT = 8;
    /** Of {@code struct sockaddr_in6}, the longer one. */
    private static final int NAME_BYTES = 28;

    private static final int OUT_BYTES = 16;
    private static final int PORT_AT = 2;
    private static final int INET = 2;
    private static final int INET_AT = 4;
    private static final int INET_BYTES = 4;
    private static final int INET6_AT = 8;
    private static final int INET6_BYTES = 16;

    private final CleanableDirectBuffer memory = Buffer.allocateDirectBufferWithNativeOrder(MESSAGE_BYTES);
    private final long address;
    private final byte[] inet = new byte[INET_BYTES];
    private final byte[] inet6 = new byte[INET6_BYTES];
    private boolean freed;

    SenderHeader() {
        ByteBuffer message = memory.buffer();
        for (int i = 0; i < MESSAGE_BYTES; i++) {
            message.put(i, (byte) 0);
        }
        message.putInt(NAME_LENGTH_AT, NAME_BYTES);
        address = Buffer.memoryAddress(message);
    }

    /** Returns where the message is by which the kernel is asked. */
    long address() {
        return address;
    }

    /** Returns who sent {@code data}, and leaves the datagram in it. */
    InetSocketAddress read(ByteBuf data) {
        int at = data.readerIndex() + OUT_BYTES;
        boolean short4 = family(data, at) == INET;
        byte[] octets = short4 ? inet : inet6;
        int port = data.getUnsignedShort(at + PORT_AT);
        data.getBytes(at + (short4 ? INET_AT : INET6_AT), octets);
        data.skipBytes(OUT_BYTES + NAME_BYTES);
        try {
            // An IPv4-mapped IPv6 address becomes an IPv4 address.
            return new InetSocketAddress(InetAddress.getByAddress(octets), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int family(ByteBuf data, int at) {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                ? data.getUnsignedShortLE(at)
                : data.getUnsignedShort(at);
    }

    void free() {
        if (!freed) {
            freed = true;
            memory.clean();
        }
    }
}
