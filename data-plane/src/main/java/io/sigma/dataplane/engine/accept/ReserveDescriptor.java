package io.sigma.dataplane.engine.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import io.sigma.dataplane.upstream.pool.RefusedWithoutDescriptor;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A descriptor that is kept for the moment in which the process has no other one. The kernel completes handshakes all
 * the same, so clients would wait without an answer. The reserve is closed then, the connections that wait are accepted
 * and reset, and the reserve is opened again. Confined to the event loop that accepts.
 */
final class ReserveDescriptor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReserveDescriptor.class);

    /** Connections that are reset before other events of the event loop have their turn. */
    private static final int REFUSED_MAX = 256;

    private static final int EMFILE = -24;
    private static final int ENFILE = -23;
    /** An address of IPv6 with its scope and port, as Netty writes it. */
    private static final int ADDRESS_BYTES = 28;

    private final RefusedWithoutDescriptor refused;
    private final byte[] address = new byte[ADDRESS_BYTES];
    private @Nullable SocketChannel kept;
    private boolean closed;

    /**
     * @param refused counts the connections that are refused
     */
    ReserveDescriptor(RefusedWithoutDescriptor refused) {
        this.refused = refused;
        // Classes that are needed without a descriptor are loaded with one.
        isLacking(new IOException("none"));
        keep();
    }

    /** Returns whether {@code cause}, with which accepting failed, is that the process has no descriptor left. */
    boolean isLacking(Throwable cause) {
        if (cause instanceof Errors.NativeIoException known) {
            return known.expectedErr() == EMFILE || known.expectedErr() == ENFILE;
        }
        return isNeeded();
    }

    /** Returns whether the process has no other descriptor at present. */
    static boolean isNeeded() {
        try (SocketChannel probe = SocketChannel.open()) {
            return !probe.isOpen();
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Resets the connections that wait at a socket.
     *
     * @return whether none waits any more; if not, it is to be called again soon
     */
    boolean refuse(Channel listening) {
        for (int i = 0; i < REFUSED_MAX; i++) {
            release();
            try {
                if (!refuseOne(listening)) {
                    return true;
                }
                refused.add();
            } catch (IOException e) {
                // Something else in the process has taken the descriptor.
                if (listening instanceof UnixChannel channel) {
                    listenAgain(listening, channel);
                }
                return false;
            } finally {
                keep();
            }
        }
        return false;
    }

    private boolean refuseOne(Channel listening) throws IOException {
        if (listening instanceof ListeningNioChannel channel) {
            return channel.refuseOne();
        }
        int fd = new Socket(((UnixChannel) listening).fd().intValue()).accept(address);
        if (fd < 0) {
            return false;
        }
        Socket accepted = new Socket(fd);
        try {
            accepted.setSoLinger(0);
        } finally {
            accepted.close();
        }
        return true;
    }

    /**
     * Has the kernel reset all connections that wait at a socket, for which no descriptor is needed: it stops to
     * listen, and begins again.
     */
    private void listenAgain(Channel listening, UnixChannel channel) {
        Socket socket = new Socket(channel.fd().intValue());
        try {
            socket.shutdown(true, false);
            socket.listen(listening.config().getOption(ChannelOption.SO_BACKLOG));
            refused.add();
        } catch (IOException e) {
            LOG.error("A socket does not listen any more", e);
        }
    }

    private void keep() {
        if (kept == null && !closed) {
            try {
                kept = SocketChannel.open();
            } catch (IOException e) {
                // It is tried again at the next need.
                kept = null;
            }
        }
    }

    private void release() {
        SocketChannel reserve = kept;
        kept = null;
        if (reserve != null) {
            try {
                reserve.close();
            } catch (IOException e) {
                // A socket that was never connected has nothing to fail with.
                kept = null;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        release();
    }
}
