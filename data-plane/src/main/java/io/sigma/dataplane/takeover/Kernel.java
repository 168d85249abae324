package io.sigma.dataplane.takeover;

import io.sigma.dataplane.loop.KernelFunctions;
import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;

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

    private static final MethodHandle SOCKET = function("socket");
    private static final MethodHandle BIND = function("bind");
    private static final MethodHandle LISTEN = function("listen");
    private static final MethodHandle ACCEPT = function("accept4");
    private static final MethodHandle CONNECT = function("connect");
    private static final MethodHandle SENDMSG = function("sendmsg");
    private static final MethodHandle RECVMSG = function("recvmsg");
    private static final MethodHandle GETSOCKOPT = function("getsockopt");
    private static final MethodHandle SETSOCKOPT = function("setsockopt");
    private static final MethodHandle SHUTDOWN = function("shutdown");
    private static final MethodHandle OPEN = function("open");
    private static final MethodHandle CLOSE = function("close");
    private static final MethodHandle GETEUID = function("geteuid");

    private Kernel() {}

    private static MethodHandle function(String name) {
        MethodHandle found = KernelFunctions.find(name);
        if (found == null) {
            throw new NoSuchElementException("a C library without " + name);
        }
        return found;
    }

    /** A received message: bytes in the buffer of the call, and descriptors that the caller closes. */
    record Received(int bytes, List<Integer> descriptors) {}

    /** Calls again when a signal interrupted it. Every result fits into an int. Words that are left out are 0. */
    private static int call(String what, MethodHandle function, Arena arena, long... words) throws IOException {
        MemorySegment errno = KernelFunctions.state(arena);
        while (true) {
            int result = callOnce(what, function, errno, Arrays.copyOf(words, KernelFunctions.WORDS));
            int error = result < 0 ? KernelFunctions.errno(errno) : 0;
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

    private static int callOnce(String what, MethodHandle function, MemorySegment errno, long... words) {
        try {
            return (int) (long) function.invokeExact(errno, words[0], words[1], words[2], words[3], words[4], words[5]);
        } catch (Throwable e) {
            throw new IllegalStateException(what + " throws nothing", e);
        }
    }

    /** Returns the user that this process acts for. */
    static int user() {
        try (Arena arena = Arena.ofConfined()) {
            return call("geteuid", GETEUID, arena);
        } catch (IOException e) {
            throw new IllegalStateException("geteuid never fails", e);
        }
    }

    /** Returns the user of the process at the other end, as it was when that connected. */
    static int peerUser(int fd) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment credentials = arena.allocate(CREDENTIALS_BYTES, Integer.BYTES);
            MemorySegment length = arena.allocateFrom(INT, CREDENTIALS_BYTES);
            call("getsockopt", GETSOCKOPT, arena, fd, SOL_SOCKET, SO_PEERCRED, credentials.address(), length.address());
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
            call("getsockopt", GETSOCKOPT, arena, fd, SOL_SOCKET, name, value.address(), length.address());
            return value.get(INT, 0);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Returns a new socket. */
    static int socket() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return call("socket", SOCKET, arena, AF_UNIX, SOCK_STREAM | CLOEXEC, 0);
        }
    }

    /** Returns a descriptor of a directory, by which files in it have short paths. */
    static int openDirectory(String path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(path, StandardCharsets.UTF_8);
            return call("open", OPEN, arena, text.address(), O_PATH_DIRECTORY | CLOEXEC);
        }
    }

    static void bind(int fd, String path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = address(arena, path);
            call("bind", BIND, arena, fd, address.address(), address.byteSize());
        }
    }

    static void listen(int fd, int waitingMax) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            call("listen", LISTEN, arena, fd, waitingMax);
        }
    }

    static int accept(int fd) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return call("accept", ACCEPT, arena, fd, 0, 0, CLOEXEC);
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
            call("connect", CONNECT, arena, fd, address.address(), address.byteSize());
        }
    }

    /** Bounds how long a call that sends or receives may wait. */
    static void timeout(int fd, long millis) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(2 * Long.BYTES, Long.BYTES);
            time.set(LONG, 0, millis / 1_000);
            time.set(LONG, Long.BYTES, millis % 1_000 * 1_000);
            for (int option : new int[] {SO_RCVTIMEO, SO_SNDTIMEO}) {
                call("setsockopt", SETSOCKOPT, arena, fd, SOL_SOCKET, option, time.address(), time.byteSize());
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
            return call("sendmsg", SENDMSG, arena, fd, message.address(), MSG_NOSIGNAL);
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
            int received = call("recvmsg", RECVMSG, arena, fd, message.address(), MSG_CMSG_CLOEXEC);
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
        quietly("shutdown", SHUTDOWN, fd, SHUT_BOTH);
    }

    static void close(int fd) {
        quietly("close", CLOSE, fd, 0);
    }

    private static void quietly(String what, MethodHandle function, long first, long second) {
        try (Arena arena = Arena.ofConfined()) {
            callOnce(what, function, KernelFunctions.state(arena), first, second, 0, 0, 0, 0);
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
