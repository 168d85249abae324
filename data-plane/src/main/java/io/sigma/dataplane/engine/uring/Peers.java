package io.sigma.dataplane.engine.uring;

import io.sigma.dataplane.loop.KernelFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Asks who is at the other end of a socket (getpeername). Confined to one event loop. */
final class Peers {

    private static final int BYTES = 128;
    private static final short INET = 2;
    private static final short INET6 = 10;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long PORT_AT = 2;
    private static final long INET_AT = 4;
    private static final long INET6_AT = 8;
    private static final long SCOPE_AT = 24;

    private static final @Nullable MethodHandle GETPEERNAME = KernelFunctions.find("getpeername");

    private final MemorySegment state = KernelFunctions.state(Arena.ofAuto());
    private final MemorySegment address = Arena.ofAuto().allocate(BYTES, Long.BYTES);
    private final MemorySegment length = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);
    /** Most connections of a gateway behind a load balancer come from one address. */
    private byte[] lastOctets = new byte[0];

    private @Nullable InetAddress last;

    /** Returns whether it can be asked on this machine. */
    static boolean areKnown() {
        return GETPEERNAME != null;
    }

    /** Returns the peer of {@code fd}; null when there is none any more. */
    @Nullable
    InetSocketAddress of(int fd) {
        length.set(ValueLayout.JAVA_INT, 0, BYTES);
        if (ask(fd) != 0) {
            return null;
        }
        short family = address.get(ValueLayout.JAVA_SHORT, 0);
        int port = Short.toUnsignedInt(address.get(PORT, PORT_AT));
        if (family == INET) {
            return new InetSocketAddress(address(INET_AT, 4, 0), port);
        }
        int scope = address.get(ValueLayout.JAVA_INT, SCOPE_AT);
        return family == INET6 ? new InetSocketAddress(address(INET6_AT, 16, scope), port) : null;
    }

    @SuppressWarnings("NullAway") // areKnown() was asked.
    private int ask(int fd) {
        try {
            return (int)
                    (long) GETPEERNAME.invokeExact(state, (long) fd, address.address(), length.address(), 0L, 0L, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException("getpeername throws nothing", e);
        }
    }

    private InetAddress address(long at, int count, int scope) {
        InetAddress known = last;
        if (known != null && scope == 0 && isLast(at, count)) {
            return known;
        }
        byte[] octets = address.asSlice(at, count).toArray(ValueLayout.JAVA_BYTE);
        try {
            if (scope != 0) {
                return Inet6Address.getByAddress(null, octets, scope);
            }
            InetAddress made = InetAddress.getByAddress(octets);
            last = made;
            lastOctets = octets;
            return made;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 octets: " + Arrays.toString(octets), e);
        }
    }

    private boolean isLast(long at, int count) {
        byte[] octets = lastOctets;
        boolean same = octets.length == count;
        for (int i = 0; same && i < count; i++) {
            same = octets[i] == address.get(ValueLayout.JAVA_BYTE, at + i);
        }
        return same;
    }
}
