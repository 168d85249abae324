package io.sigma.dataplane.engine.uring;

import io.netty.channel.uring.IoUringIoOps;

/**
 * The operations and flags of io_uring, with the numbers of {@code linux/io_uring.h}, which never change. Each
 * operation of a handle has its own kind: its completion and a cancellation find it by that.
 */
final class RingOps {

    static final byte WRITEV = 2;
    static final byte POLL_ADD = 6;
    static final byte RECVMSG = 10;
    static final byte ACCEPT = 13;
    static final byte ASYNC_CANCEL = 14;
    static final byte CLOSE = 19;
    static final byte SEND = 26;
    static final byte RECV = 27;

    /** Flag of a completion: a buffer was filled. */
    static final int BUFFER = 1;

    /** Flags of completions: more will come of what was asked for; a piece of a buffer is still to be filled. */
    static final int MORE = 1 << 1;

    static final int BUFFER_MORE = 1 << 4;
    static final int BUFFER_SHIFT = 16;

    /** The polled events. Each poll may run at the same time as the others. */
    static final long HANGUP = 1;

    static final long READABLE = 2;
    static final long WRITABLE = 3;

    static final int EAGAIN = -11;
    static final int EINVAL = -22;
    static final int ENFILE = -23;
    static final int EMFILE = -24;
    static final int ECANCELED = -125;
    static final int ENOBUFS = -105;

    private static final int POLLIN = 1;
    private static final int POLLOUT = 4;
    private static final int POLLRDHUP = 0x2000;

    private static final int SOCK_NONBLOCK = 0x800;
    private static final int MSG_MORE = 0x8000;
    private static final int MSG_DONTWAIT = 0x40;

    private static final byte SELECTS_BUFFER = 1 << 5;
    private static final short RECV_MULTISHOT = 1 << 1;
    private static final short ACCEPT_MULTISHOT = 1;

    /** Any other operation of a connection runs once at a time, and needs no number of its own. */
    private static final long ONLY = 1;

    private RingOps() {}

    static IoUringIoOps accept(int fd) {
        return ops(ACCEPT, (byte) 0, ACCEPT_MULTISHOT, fd, 0, 0, SOCK_NONBLOCK, (short) 0);
    }

    /**
     * Receives all that will ever come, into buffers of {@code group}.
     *
     * @param most octets after which the operation ends, since Linux 6.17; 0 for no bound
     */
    static IoUringIoOps receive(int fd, short group, int most) {
        return new IoUringIoOps(RECV, SELECTS_BUFFER, RECV_MULTISHOT, fd, 0, 0, 0, 0, ONLY, group, (short) 0, most, 0);
    }

    /**
     * Receives all datagrams that will ever come, with their senders, into buffers of {@code group}.
     *
     * @param message the address of a {@code struct msghdr} that says what is wanted of senders
     */
    static IoUringIoOps receiveMessages(int fd, long message, short group) {
        return ops(RECVMSG, SELECTS_BUFFER, RECV_MULTISHOT, fd, message, 1, 0, group);
    }

    /** Receives what fits into one buffer of {@code group}. */
    static IoUringIoOps receiveOnce(int fd, short group) {
        return ops(RECV, SELECTS_BUFFER, (short) 0, fd, 0, 0, 0, group);
    }

    /**
     * Sends what is at {@code address}.
     *
     * @param last whether the connection is closed next: what fills no segment waits for that, and leaves together with
     *     it
     */
    static IoUringIoOps send(int fd, long address, int length, boolean last) {
        return ops(SEND, (byte) 0, (short) 0, fd, address, length, last ? MSG_MORE : 0, (short) 0);
    }

    /** Sends what is at {@code address} as it is submitted, or fails with {@link #EAGAIN} when there is no room. */
    static IoUringIoOps sendNow(int fd, long address, int length) {
        return ops(SEND, (byte) 0, (short) 0, fd, address, length, MSG_DONTWAIT, (short) 0);
    }

    static IoUringIoOps writev(int fd, long address, int count) {
        return ops(WRITEV, (byte) 0, (short) 0, fd, address, count, 0, (short) 0);
    }

    /** Completes once when the peer will send nothing more. */
    static IoUringIoOps pollHangup(int fd) {
        return poll(fd, POLLRDHUP, HANGUP);
    }

    /** Completes once when there is something to read, or the end. */
    static IoUringIoOps pollReadable(int fd) {
        return poll(fd, POLLIN, READABLE);
    }

    /** Completes once when there is room for more, or an error. */
    static IoUringIoOps pollWritable(int fd) {
        return poll(fd, POLLOUT, WRITABLE);
    }

    private static IoUringIoOps poll(int fd, int events, long number) {
        return new IoUringIoOps(POLL_ADD, (byte) 0, (short) 0, fd, 0, 0, 0, events, number, (short) 0, (short) 0, 0, 0);
    }

    /** Ends the operation that was submitted as {@code id}, if it still runs. */
    static IoUringIoOps cancel(long id) {
        return ops(ASYNC_CANCEL, (byte) 0, (short) 0, -1, id, 0, 0, (short) 0);
    }

    static IoUringIoOps close(int fd) {
        return ops(CLOSE, (byte) 0, (short) 0, fd, 0, 0, 0, (short) 0);
    }

    private static IoUringIoOps ops(
            byte opcode, byte flags, short priority, int fd, long address, int length, int special, short group) {
        return new IoUringIoOps(opcode, flags, priority, fd, 0, address, length, special, ONLY, group, (short) 0, 0, 0);
    }
}
