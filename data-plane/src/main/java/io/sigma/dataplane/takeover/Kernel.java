package io.sigma.dataplane.takeover;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Sockets of the Unix domain as Linux has them. Those of Java pass no descriptors (SCM_RIGHTS, unix(7)), and their
 * paths are short. The numbers are those of 64-bit Linux. Stateless; each call may block.
 */
final class Kernel {

    /** Descriptors that one message may carry (SCM_MAX_FD). */
    static final int DESCRIPTORS_MAX = 253;

    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int SO_TYPE = 3;
    private static final int SO_ACCEPTCONN = 30;
    private static final int SOCK_DGRAM = 2;
    private static final int SO_RCVTIMEO = 20;
    private static final int SO_SNDTIMEO = 21;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_CTRUNC = 8;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int O_PATH_DIRECTORY = 0x200000 | 0x10000;
    private static final int SHUT_BOTH = 2;

    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int ENOENT = 2;
    private static final int ECONNREFUSED = 111;

    private static final int PATH_BYTES_MAX = 107;
    private static final int CREDENTIALS_BYTES = 12;
    private static final int UID_AT = 4;
    /** Of the head of a control message, behind which descriptors stand. */
    private static final int HEAD_BYTES = 16;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout ERRNO = Linker.Option.captureStateLayout();
    private static final long ERRNO_AT = ERRNO.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SOCKET = function("socket", INT, INT, INT, INT);
    private static final MethodHandle BIND = function("bind", INT, INT, POINTER, INT);
    private static final MethodHandle LISTEN = function("listen", INT, INT, INT);
    private static final MethodHandle ACCEPT = function("accept4", INT, INT, POINTER, POINTER, INT);
    private static final MethodHandle CONNECT = function("connect", INT, INT, POINTER, INT);
    private static final MethodHandle SENDMSG = function("sendmsg", LONG, INT, POINTER, INT);
    private static final MethodHandle RECVMSG = function("recvmsg", LONG, INT, POINTER, INT);
    private static final MethodHandle GETSOCKOPT = function("getsockopt", INT, INT, INT, INT, POINTER, POINTER);
    private static final MethodHandle SETSOCKOPT = function("setsockopt", INT, INT, INT, INT, POINTER, INT);
    private static final MethodHandle SHUTDOWN = function("shutdown", INT, INT, INT);
    private static final MethodHandle OPEN = function("open", INT, POINTER, INT);
    private static final MethodHandle CLOSE = function("close", INT, INT);
    private static final MethodHandle GETEUID = function("geteuid", INT);

    private Kernel() {}

    @SuppressWarnings("restricted") // Pointers to memory of the calls, which outlives them.
    private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }

    /** A received message: bytes in the buffer of the call, and descriptors that the caller closes. */
    record Received(int bytes, List<Integer> descriptors) {}

    /** A call of a function, without its first argument, where the number of an error is put. */
    @FunctionalInterface
    private interface Call {

        long invoke(MemorySegment errno) throws Throwable;
    }

    /** Calls again when a signal interrupted it. */
    private static long call(String what, Arena arena, Call call) throws IOException {
        MemorySegment errno = arena.allocate(ERRNO);
        while (true) {
            long result;
            try {
                result = call.invoke(errno);
            } catch (Throwable e) {
                throw new IllegalStateException(what + " throws nothing", e);
            }
            int error = result < 0 ? errno.get(INT, ERRNO_AT) : 0;
            if (result >= 0) {
                return result;
            } else if (error == EAGAIN) {
                throw new SocketTimeoutException(what + ": no answer in time");
            } else if (error == ENOENT || error == ECONNREFUSED) {
                throw new NobodyListens(what);
            } else if (error != EINTR) {
                throw new IOException(what + " failed with error " + error + " of Linux");
            }
        }
    }

    /** Returns the user that this process acts for. */
    static int user() {
        try (Arena arena = Arena.ofConfined()) {
            return (int) call("geteuid", arena, errno -> (int) GETEUID.invokeExact(errno));
        } catch (IOException e) {
            throw new IllegalStateException("geteuid never fails", e);
        }
    }

    /** Returns the user of the process at the other end, as it was when that connected. */
    static int peerUser(int fd) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment credentials = arena.allocate(CREDENTIALS_BYTES, Integer.BYTES);
            MemorySegment length = arena.allocateFrom(INT, CREDENTIALS_BYTES);
            call("getsockopt", arena, errno ->
                    (int) GETSOCKOPT.invokeExact(errno, fd, SOL_SOCKET, SO_PEERCRED, credentials, length));
            return credentials.get(INT, UID_AT);
        }
    }

    /** Returns whether {@code fd} is a socket that listens, or one of datagrams. */
    static boolean isListening(int fd) {
        return option(fd, SO_ACCEPTCONN) == 1 || option(fd, SO_TYPE) == SOCK_DGRAM;
    }

    /** Returns the value of an option of a socket; -1 when {@code fd} is none. */
    private static int option(int fd, int name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocateFrom(INT, 0);
            MemorySegment length = arena.allocateFrom(INT, Integer.BYTES);
            call("getsockopt", arena, errno ->
                    (int) GETSOCKOPT.invokeExact(errno, fd, SOL_SOCKET, name, value, length));
            return value.get(INT, 0);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Returns a new socket. */
    static int socket() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return (int)
                    call("socket", arena, errno -> (int) SOCKET.invokeExact(errno, AF_UNIX, SOCK_STREAM | CLOEXEC, 0));
        }
    }

    /** Returns a descriptor of a directory, by which files in it have short paths. */
    static int openDirectory(String path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(path, StandardCharsets.UTF_8);
            return (int) call("open", arena, errno -> (int) OPEN.invokeExact(errno, text, O_PATH_DIRECTORY | CLOEXEC));
        }
    }

    static void bind(int fd, String path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = address(arena, path);
            call("bind", arena, errno -> (int) BIND.invokeExact(errno, fd, address, (int) address.byteSize()));
        }
    }

    static void listen(int fd, int waitingMax) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            call("listen", arena, errno -> (int) LISTEN.invokeExact(errno, fd, waitingMax));
        }
    }

    static int accept(int fd) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return (int) call("accept", arena, errno ->
                    (int) ACCEPT.invokeExact(errno, fd, MemorySegment.NULL, MemorySegment.NULL, CLOEXEC));
        }
    }

    /**
     * Connects to a socket.
     *
     * @throws NobodyListens when there is none, or nobody listens on it any more
     */
    static void connect(int fd, String path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = address(arena, path);
            call("connect", arena, errno -> (int) CONNECT.invokeExact(errno, fd, address, (int) address.byteSize()));
        }
    }

    /** Bounds how long a call that sends or receives may wait. */
    static void timeout(int fd, long millis) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(2 * Long.BYTES, Long.BYTES);
            time.set(LONG, 0, millis / 1_000);
            time.set(LONG, Long.BYTES, millis % 1_000 * 1_000);
            for (int option : new int[] {SO_RCVTIMEO, SO_SNDTIMEO}) {
                call("setsockopt", arena, errno ->
                        (int) SETSOCKOPT.invokeExact(errno, fd, SOL_SOCKET, option, time, (int) time.byteSize()));
            }
        }
    }

    /**
     * Sends some of {@code bytes} and returns how many.
     *
     * @param descriptors that go with the first byte, at most {@link #DESCRIPTORS_MAX}
     */
    static int send(int fd, byte[] bytes, int from, int count, List<Integer> descriptors) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocate(Math.max(1, count));
            MemorySegment.copy(bytes, from, data, ValueLayout.JAVA_BYTE, 0, count);
            MemorySegment control = MemorySegment.NULL;
            if (!descriptors.isEmpty()) {
                control = arena.allocate(controlBytes(descriptors.size()), Long.BYTES);
                control.set(LONG, 0, HEAD_BYTES + (long) descriptors.size() * Integer.BYTES);
                control.set(INT, 8, SOL_SOCKET);
                control.set(INT, 12, SCM_RIGHTS);
                for (int i = 0; i < descriptors.size(); i++) {
                    control.set(INT, HEAD_BYTES + (long) i * Integer.BYTES, descriptors.get(i));
                }
            }
            MemorySegment message = message(arena, data, control);
            return (int) call("sendmsg", arena, errno -> (long) SENDMSG.invokeExact(errno, fd, message, MSG_NOSIGNAL));
        }
    }

    /**
     * Receives what is there into {@code bytes}, at least one byte unless the other end has closed.
     *
     * @throws IOException when more descriptors came than are taken; those that came are closed
     */
    static Received receive(int fd, byte[] bytes, int from, int count) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocate(count);
            MemorySegment control = arena.allocate(controlBytes(DESCRIPTORS_MAX), Long.BYTES);
            MemorySegment message = message(arena, data, control);
            int received = (int)
                    call("recvmsg", arena, errno -> (long) RECVMSG.invokeExact(errno, fd, message, MSG_CMSG_CLOEXEC));
            MemorySegment.copy(data, ValueLayout.JAVA_BYTE, 0, bytes, from, received);
            List<Integer> descriptors = descriptors(control, message.get(LONG, 40));
            if ((message.get(INT, 48) & MSG_CTRUNC) != 0) {
                descriptors.forEach(Kernel::close);
                throw new IOException("descriptors were lost (expected: fewer descriptors, and room for all)");
            }
            return new Received(received, descriptors);
        }
    }

    private static List<Integer> descriptors(MemorySegment control, long bytes) {
        List<Integer> descriptors = new ArrayList<>();
        if (bytes >= HEAD_BYTES && control.get(INT, 8) == SOL_SOCKET && control.get(INT, 12) == SCM_RIGHTS) {
            long end = Math.min(bytes, control.get(LONG, 0));
            for (long at = HEAD_BYTES; at + Integer.BYTES <= end; at += Integer.BYTES) {
                descriptors.add(control.get(INT, at));
            }
        }
        return descriptors;
    }

    /** Wakes who waits for something at {@code fd}. */
    static void shutdown(int fd) {
        quietly("shutdown", errno -> (int) SHUTDOWN.invokeExact(errno, fd, SHUT_BOTH));
    }

    static void close(int fd) {
        quietly("close", errno -> (int) CLOSE.invokeExact(errno, fd));
    }

    private static void quietly(String what, Call call) {
        try (Arena arena = Arena.ofConfined()) {
            call.invoke(arena.allocate(ERRNO));
        } catch (Throwable e) {
            throw new IllegalStateException(what + " throws nothing", e);
        }
    }

    /** {@code struct msghdr} with one buffer. */
    private static MemorySegment message(Arena arena, MemorySegment data, MemorySegment control) {
        MemorySegment buffer = arena.allocate(2 * Long.BYTES, Long.BYTES);
        buffer.set(POINTER, 0, data);
        buffer.set(LONG, Long.BYTES, data.byteSize());
        MemorySegment message = arena.allocate(56, Long.BYTES);
        message.set(POINTER, 16, buffer);
        message.set(LONG, 24, 1);
        message.set(POINTER, 32, control);
        message.set(LONG, 40, control.byteSize());
        return message;
    }

    private static long controlBytes(int descriptors) {
        return HEAD_BYTES + (descriptors * (long) Integer.BYTES + 7) / 8 * 8;
    }

    /** {@code struct sockaddr_un}. */
    private static MemorySegment address(Arena arena, String path) throws IOException {
        byte[] octets = path.getBytes(StandardCharsets.UTF_8);
        if (octets.length > PATH_BYTES_MAX) {
            throw new IOException(path + ": too long for a socket (expected: at most " + PATH_BYTES_MAX + " bytes)");
        }
        MemorySegment address = arena.allocate(2 + octets.length + 1L, 2);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(octets, 0, address, ValueLayout.JAVA_BYTE, 2, octets.length);
        return address;
    }
}
