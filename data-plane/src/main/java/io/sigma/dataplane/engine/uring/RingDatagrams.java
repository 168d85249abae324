package io.sigma.dataplane.engine.uring;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.Socket;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.spi.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket of datagrams on io_uring: one operation receives as long as it is open, into the buffers of the event loop,
 * and a call sends. Netty's own channel keeps memory for 512 messages for each socket, and each session has one.
 * Confined to the event loop.
 */
public final class RingDatagrams implements IoUringIoHandle {

    private static final Logger LOG = LoggerFactory.getLogger(RingDatagrams.class);
    private static final long NONE = 0;

    /** Receives the datagrams. Called on the event loop. */
    public interface Taker {

        /**
         * A datagram has come.
         *
         * @param data which the taker releases
         * @param from the address of the sender; null where the socket has one peer
         */
        void received(ByteBuf data, @Nullable InetSocketAddress from);

        /** The kernel reports an error of an earlier send. */
        void failed(IOException cause);
    }

    private final Socket socket;
    private final Taker taker;
    private final short group;
    private final @Nullable SenderHeader header;
    private @Nullable IoRegistration registration;
    private @Nullable RingLoop loop;
    private long receiving = NONE;
    private boolean wanted = true;
    private boolean closed;

    private RingDatagrams(Socket socket, boolean connected, Taker taker, short group) {
        this.socket = socket;
        this.taker = taker;
        this.group = group;
        this.header = connected ? null : new SenderHeader();
    }

    /** Returns whether sockets of {@code transport} can be had. */
    public static boolean isAvailable(Transport transport) {
        return TunedIoUring.takesSockets(transport);
    }

    /**
     * Begins to receive; from any thread.
     *
     * @param socket which does not block, and is closed by this object
     * @param connected whether it has one peer
     * @return completes on the event loop
     */
    public static Future<RingDatagrams> open(EventLoop eventLoop, Socket socket, boolean connected, Taker taker) {
        RingDatagrams made = new RingDatagrams(socket, connected, taker, TunedIoUring.GROUP);
        Promise<RingDatagrams> opened = Promise.promise();
        ((IoEventLoop) eventLoop).register(made).addListener(registered -> {
            if (registered.isSuccess()) {
                made.begin(eventLoop, (IoRegistration) registered.getNow());
                opened.complete(made);
            } else {
                made.closeSocket();
                opened.fail(registered.cause());
            }
        });
        return opened.future();
    }

    private void begin(EventLoop eventLoop, IoRegistration registered) {
        registration = registered;
        loop = RingLoop.of(eventLoop, registered, group);
        receive();
    }

    private void receive() {
        if (wanted && !closed && receiving == NONE) {
            int fd = socket.intValue();
            receiving = Objects.requireNonNull(registration)
                    .submit(
                            header == null
                                    ? RingOps.receive(fd, group, 0)
                                    : RingOps.receiveMessages(fd, header.address(), group));
        }
    }

    @Override
    public void handle(IoRegistration from, IoEvent event) {
        IoUringIoEvent completion = (IoUringIoEvent) event;
        byte operation = completion.opcode();
        if (operation != RingOps.RECV && operation != RingOps.RECVMSG) {
            return;
        }
        int flags = completion.flags();
        if ((flags & RingOps.MORE) == 0) {
            receiving = NONE;
        }
        int result = completion.res();
        if ((flags & RingOps.BUFFER) != 0) {
            onReceived(Objects.requireNonNull(loop).buffers().take(Math.max(0, result), flags));
        } else if (result < 0 && result != RingOps.ECANCELED && result != RingOps.ENOBUFS && !closed) {
            taker.failed(Errors.newIOException("io_uring recv", result));
        }
        if (receiving == NONE) {
            if (closed || !wanted) {
                freeHeader();
            }
            receive();
        }
    }

    private void onReceived(ByteBuf data) {
        if (closed) {
            data.release();
            return;
        }
        try {
            taker.received(data, header == null ? null : header.read(data));
        } catch (RuntimeException | Error e) {
            // The others of this loop iteration still have to run.
            LOG.error("A datagram could not be handled", e);
        }
    }

    /**
     * Sends {@code data}, which stays that of the caller.
     *
     * @param to null for the peer
     * @return false when there is no room for it
     * @throws IOException when it cannot be sent
     */
    public boolean send(ByteBuf data, @Nullable InetSocketAddress to) throws IOException {
        int from = data.readerIndex();
        int end = data.writerIndex();
        if (data.hasMemoryAddress()) {
            long address = data.memoryAddress();
            return (to == null
                            ? socket.sendAddress(address, from, end)
                            : socket.sendToAddress(address, from, end, to.getAddress(), to.getPort()))
                    > 0;
        }
        var buffer = data.internalNioBuffer(from, end - from);
        return (to == null
                        ? socket.send(buffer, buffer.position(), buffer.limit())
                        : socket.sendTo(buffer, buffer.position(), buffer.limit(), to.getAddress(), to.getPort()))
                > 0;
    }

    /** Receives nothing more; what the kernel has received by now still comes. */
    public void pause() {
        wanted = false;
        cancel();
    }

    private void cancel() {
        if (receiving != NONE) {
            Objects.requireNonNull(registration).submit(RingOps.cancel(receiving));
        }
    }

    public int descriptor() {
        return closed ? -1 : socket.intValue();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        IoRegistration registered = registration;
        if (registered == null) {
            closeSocket();
            return;
        }
        cancel();
        registered.submit(RingOps.close(socket.intValue()));
        // Completions are still heard; nothing can be submitted.
        registered.cancel();
        if (receiving == NONE) {
            freeHeader();
        }
    }

    private void freeHeader() {
        if (header != null && closed) {
            header.free();
        }
    }

    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("A socket could not be closed", e);
        }
    }
}
