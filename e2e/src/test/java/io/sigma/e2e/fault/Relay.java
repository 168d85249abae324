package io.sigma.e2e.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A TCP relay between one gateway and one control plane that does what networks do. Thread-safe. */
public final class Relay implements AutoCloseable {

    private static final int BUFFER_BYTES = 16 * 1024;

    /** The faults of connections. */
    public enum Fault {
        /** Nothing. */
        NONE,
        /** Each piece is late. */
        DELAYED,
        /** Nothing passes, nobody hears why, and all of it passes in the end: a partition. */
        PARTITIONED,
        /** Connections end with RST, new ones as well. */
        RESET,
        /** Connections end at once and in order, and so do new ones. */
        CLOSED,
        /**
         * The control plane's end is gone without the gateway's hearing of it, until the gateway sends after the fault.
         */
        HALF_OPEN,
        /** Bytes of the gateway pass; bytes to it are late. */
        DEAF
    }

    private final ServerSocket listening;
    private final int target;
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile Fault fault = Fault.NONE;
    private volatile long delayMillis;

    private Relay(ServerSocket listening, int target) {
        this.listening = listening;
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    /** Returns a relay to a port of 127.0.0.1. */
    public static Relay to(int port) {
        try {
            return new Relay(new ServerSocket(0, 64, InetAddress.getLoopbackAddress()), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listening.getLocalPort();
    }

    /**
     * Does {@code next} from now on.
     *
     * @param millis of {@link Fault#DELAYED}
     */
    public void inject(Fault next, long millis) {
        delayMillis = millis;
        lock.lock();
        try {
            fault = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        switch (next) {
            case RESET -> pairs.forEach(Pair::reset);
            case CLOSED -> pairs.forEach(Pair::close);
            case HALF_OPEN -> pairs.forEach(Pair::loseTheControlPlane);
            default -> {}
        }
    }

    public void heal() {
        inject(Fault.NONE, 0);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket gateway = listening.accept();
                Thread.ofVirtual().start(() -> open(gateway));
            } catch (IOException e) {
                // Closed, or one connection less.
            }
        }
    }

    private void open(Socket gateway) {
        Pair pair = new Pair(gateway);
        pairs.add(pair);
        try {
            switch (fault) {
                case RESET -> pair.reset();
                case CLOSED -> pair.close();
                default -> pair.connect();
            }
        } catch (IOException | InterruptedException e) {
            pair.close();
        }
    }

    /** Returns when pieces of this direction may pass. */
    private void awaitPassage(boolean towardsGateway) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (fault == Fault.PARTITIONED || fault == Fault.HALF_OPEN || (fault == Fault.DEAF && towardsGateway)) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
        if (fault == Fault.DELAYED) {
            Thread.sleep(delayMillis);
        }
    }

    /** A connection of a gateway and the one that was made for it. */
    private final class Pair {
        private final Socket gateway;
        private volatile @Nullable Socket controlPlane;
        private volatile boolean lost;

        Pair(Socket gateway) {
            this.gateway = gateway;
        }

        void connect() throws IOException, InterruptedException {
            awaitPassage(false);
            Socket to = new Socket();
            to.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 5_000);
            controlPlane = to;
            Thread.ofVirtual().start(() -> pump(to, gateway, true));
            pump(gateway, to, false);
        }

        private void pump(Socket from, Socket to, boolean towardsGateway) {
            byte[] buffer = new byte[BUFFER_BYTES];
            try {
                for (int count = from.getInputStream().read(buffer);
                        count >= 0;
                        count = from.getInputStream().read(buffer)) {
                    awaitPassage(towardsGateway);
                    if (lost) {
                        reset();
                        return;
                    }
                    to.getOutputStream().write(buffer, 0, count);
                }
            } catch (IOException | InterruptedException e) {
                // As at the end.
            }
            if (!lost) {
                // The end is late as well.
                try {
                    awaitPassage(towardsGateway);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                close();
            }
        }

        void loseTheControlPlane() {
            lost = true;
            Socket to = controlPlane;
            if (to != null) {
                reset(to);
            }
        }

        void reset() {
            reset(gateway);
            Socket to = controlPlane;
            if (to != null) {
                reset(to);
            }
            pairs.remove(this);
        }

        private void reset(Socket socket) {
            try {
                // Unsent data are dropped and RST is sent.
                socket.setSoLinger(true, 0);
                socket.close();
            } catch (IOException e) {
                // Closed already.
            }
        }

        void close() {
            try {
                gateway.close();
                Socket to = controlPlane;
                if (to != null) {
                    to.close();
                }
            } catch (IOException e) {
                // Closed already.
            }
            pairs.remove(this);
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        heal();
        pairs.forEach(Pair::close);
    }
}
