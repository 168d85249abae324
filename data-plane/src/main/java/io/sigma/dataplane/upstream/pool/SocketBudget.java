package io.sigma.dataplane.upstream.pool;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets that a process may have open, of all proxy servers and all nodes. A process without a descriptor left can
 * neither call a node nor load a class, so some are kept for files, and clients cannot take those that nodes need.
 * Thread-safe.
 */
public final class SocketBudget {

    private static final Logger LOG = LoggerFactory.getLogger(SocketBudget.class);
    /** For files, classes and whatever else opens something while all sockets are in use. */
    private static final int FILES = 64;
    /** With fewer sockets than this a gateway can serve a few clients at most. */
    private static final int FEW = 128;
    /** The part of the descriptors for pipes, as a divisor. */
    private static final int PIPES_PART = 32;

    private static final int PIPES_MAX = 1024;
    /** The part of the sockets for nodes alone, as a divisor. */
    private static final int NODES_PART = 8;
    /** Connections in advance are opened while fewer sockets are open than this part of all, as a divisor. */
    private static final int ADVANCE_PART = 4;

    /** The part of the heap for the objects of connections, as a divisor. */
    private static final int HEAP_PART = 2;
    /** The heap that a connection takes while it is idle, in bytes. */
    private static final int SOCKET_BYTES = 4 * 1024;

    private static final long SAY_NANOS = 10_000_000_000L;

    private final int clientsMax;
    private final int socketsMax;
    private final AtomicInteger open = new AtomicInteger();
    private final AddressShares clients = new AddressShares();
    private volatile int eachClientMax = Integer.MAX_VALUE;
    private final AtomicLong saidNanos = new AtomicLong(System.nanoTime() - SAY_NANOS);
    private final RefusedWithoutDescriptor refusedWithoutDescriptor = new RefusedWithoutDescriptor();

    /**
     * @param socketsMax at least 1; clients get seven of eight
     */
    public SocketBudget(int socketsMax) {
        this.socketsMax = socketsMax;
        this.clientsMax = socketsMax - Math.ceilDiv(socketsMax, NODES_PART);
    }

    /**
     * Returns what the limit of open files of this process leaves for sockets, beside pipes and what is open now, at
     * most as many as half of the heap has room for, and at least 8. Warns when open files leave few.
     */
    public static SocketBudget ofProcess() {
        UnixOperatingSystemMXBean system = system();
        if (system == null) {
            return new SocketBudget(sockets(Long.MAX_VALUE, Runtime.getRuntime().maxMemory()));
        }
        long max = system.getMaxFileDescriptorCount();
        long others = system.getOpenFileDescriptorCount() + FILES + 2L * pipesOfProcess() + spoolsOfProcess();
        SocketBudget sockets =
                new SocketBudget(sockets(max - others, Runtime.getRuntime().maxMemory()));
        String warning = tooFew(max, others);
        if (warning != null) {
            LOG.warn("{}", warning);
        }
        return sockets;
    }

    /**
     * Returns the number of sockets, at least 8.
     *
     * @param descriptors that are left for sockets
     * @param heapBytes largest size of the heap
     */
    static int sockets(long descriptors, long heapBytes) {
        long fitting = heapBytes / HEAP_PART / SOCKET_BYTES;
        return Math.clamp(Math.min(descriptors, fitting), NODES_PART, Integer.MAX_VALUE);
    }

    /**
     * Returns what to tell an operator whose limit of open files is too low to serve with; null when it is not.
     *
     * @param max the limit of open files of the process
     * @param others descriptors that are not for sockets
     */
    static @Nullable String tooFew(long max, long others) {
        return max - others >= FEW
                ? null
                : "The limit of open files is %d (expected: at least %d): it leaves %d connections to clients and nodes."
                                .formatted(max, others + FEW, Math.max(max - others, NODES_PART))
                        + " Raise it with ulimit -n or LimitNOFILE of systemd.";
    }

    /** Returns how many pipes there may be in this process, each with two descriptors, beside its sockets. */
    public static int pipesOfProcess() {
        UnixOperatingSystemMXBean system = system();
        return system == null
                ? PIPES_MAX
                : (int) Math.min(PIPES_MAX, system.getMaxFileDescriptorCount() / PIPES_PART / 2);
    }

    /** Returns how many files may be open in this process in which responses wait. */
    public static int spoolsOfProcess() {
        return pipesOfProcess();
    }

    /** Returns what knows the limit of open files; null when there is none. */
    private static @Nullable UnixOperatingSystemMXBean system() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                        && system.getMaxFileDescriptorCount() > 0
                ? system
                : null;
    }

    /** Sets how many connections a client address has at most; none until then. */
    public void eachClientMax(int max) {
        eachClientMax = max;
    }

    /**
     * Notes that a client has connected.
     *
     * @param client by {@link io.sigma.dataplane.exchange.ClientKey}
     * @return false when there is no place for it, and nothing is noted
     */
    public boolean tryClient(long client) {
        if (!tryOpen(clientsMax, "clients")) {
            return false;
        }
        if (!clients.tryTake(client, clientsMax, eachClientMax)) {
            closed();
            return false;
        }
        return true;
    }

    /** Notes that a client has gone for which there was a place. */
    public void clientClosed(long client) {
        clients.giveBack(client);
        closed();
    }

    /** Returns how many connections were refused because their address had more than its share. */
    public long refusedByAddress() {
        return clients.refused();
    }

    /** Returns what counts the clients that are reset because the process has no descriptor for their connection. */
    public RefusedWithoutDescriptor refusedWithoutDescriptor() {
        return refusedWithoutDescriptor;
    }

    /** Notes that a node is to be connected to; returns false when there is no place for it, and nothing is noted. */
    public boolean tryNode() {
        return tryOpen(socketsMax, "nodes");
    }

    /**
     * Returns whether a connection to a node may be opened that no request needs yet. So those of all upstreams take a
     * quarter of the sockets at most, and clients the others.
     */
    public boolean hasRoomInAdvance() {
        return open.get() < socketsMax / ADVANCE_PART;
    }

    /** Notes that a connection to a node, for which there was a place, is closed. */
    public void closed() {
        open.decrementAndGet();
    }

    /** Returns how many are open. */
    public int open() {
        return open.get();
    }

    private boolean tryOpen(int max, String whose) {
        if (open.incrementAndGet() <= max) {
            return true;
        }
        open.decrementAndGet();
        if (isTimeToSay(saidNanos, SAY_NANOS)) {
            LOG.warn(
                    "Connections of {} are refused: the limit of open files, or the heap, leaves {} sockets to them",
                    whose,
                    max);
        }
        return false;
    }

    private static boolean isTimeToSay(AtomicLong lastNanos, long pauseNanos) {
        long now = System.nanoTime();
        long last = lastNanos.get();
        return now - last >= pauseNanos && lastNanos.compareAndSet(last, now);
    }

    /** The failure of opening a connection to a node when there is no place for it; says nothing about the node. */
    public static final class Exhausted extends IOException {

        private static final long serialVersionUID = 1;

        public Exhausted() {
            super("the limit of open files leaves no socket");
        }
    }
}
