package io.sigma.dataplane.engine.body;

import io.netty.channel.Channel;
import io.netty.channel.unix.UnixChannel;
import io.sigma.dataplane.engine.uring.RingChannel;
import io.sigma.dataplane.loop.KernelFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Asks the kernel how much it holds of what was sent on a connection, because the peer has not received it yet
 * (SIOCOUTQ, tcp(7)): megabytes, where the peer reads slowly. Stateless; to be called on the event loop of the
 * connection, which is when its descriptor is open.
 */
public final class SendQueue {

    private static final long SIOCOUTQ = 0x5411;
    private static final @Nullable MethodHandle IOCTL = KernelFunctions.find("ioctl");

    private SendQueue() {}

    /** Returns whether it can be asked about {@code channel}. */
    public static boolean isKnown(Channel channel) {
        return IOCTL != null && descriptor(channel) >= 0;
    }

    /** Returns how much the peer has not received, in bytes; 0 where that cannot be asked, as with NIO. */
    public static int bytes(Channel channel) {
        MethodHandle ioctl = IOCTL;
        int descriptor = descriptor(channel);
        if (ioctl == null || descriptor < 0) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_INT);
            int result = (int) (long) ioctl.invokeExact(
                    KernelFunctions.state(arena), (long) descriptor, SIOCOUTQ, answer.address(), 0L, 0L, 0L);
            return result < 0 ? 0 : answer.get(ValueLayout.JAVA_INT, 0);
        } catch (Throwable e) {
            throw new IllegalStateException("ioctl throws nothing", e);
        }
    }

    private static int descriptor(Channel channel) {
        if (!channel.isOpen()) {
            return -1;
        }
        return switch (channel) {
            case RingChannel ring -> ring.descriptor();
            case UnixChannel unix -> unix.fd().intValue();
            default -> -1;
        };
    }
}
