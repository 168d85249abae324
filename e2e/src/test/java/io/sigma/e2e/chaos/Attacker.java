package io.sigma.e2e.chaos;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Makes a connection of an attack. Attackers come from 127.0.0.2 and up, so that others, at 127.0.0.1, have an address
 * of their own. Confined to the thread of that connection.
 */
final class Attacker {

    private static final int PLATFORM_MAX = 64;
    private static final long PAUSE_MILLIS = 20;
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Target target;
    private final String from;
    private final long deadlineNanos;
    private final Set<Wire> open;
    private final List<Wire> mine = new ArrayList<>();

    private Attacker(Target target, String from, long deadlineNanos, Set<Wire> open) {
        this.target = target;
        this.from = from;
        this.deadlineNanos = deadlineNanos;
        this.open = open;
    }

    /**
     * Runs attacks at the same time, to their end.
     *
     * @param connectionsMax the most that each of them has
     * @return how often a connection of them began
     */
    static long run(List<Attack> attacks, int connectionsMax, Target target, long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        Set<Wire> open = ConcurrentHashMap.newKeySet();
        LongAdder begun = new LongAdder();
        List<Thread> threads = new ArrayList<>();
        for (Attack attack : attacks) {
            // A virtual thread that never waits keeps its processor from the others.
            Thread.Builder builder = attack.connections() > PLATFORM_MAX ? Thread.ofVirtual() : Thread.ofPlatform();
            for (int i = 0; i < Math.min(attack.connections(), connectionsMax); i++) {
                int number = i % attack.addresses() + 2;
                String from = "127.0." + number / 250 + "." + number % 250;
                Attacker attacker = new Attacker(target, from, deadline, open);
                threads.add(builder.start(() -> attacker.repeat(attack, begun)));
            }
        }
        try {
            Thread.sleep(millis);
            for (Thread thread : threads) {
                do {
                    open.forEach(Wire::close);
                } while (!thread.join(Duration.ofMillis(100)) && System.nanoTime() < deadline + END_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return begun.sum();
    }

    private void repeat(Attack attack, LongAdder begun) {
        while (!over()) {
            begun.increment();
            try {
                attack.once(this);
            } catch (IOException e) {
                // The target ended it, or the time is up.
            }
            mine.forEach(Wire::close);
            mine.forEach(open::remove);
            mine.clear();
            if (!over()) {
                sleep(PAUSE_MILLIS);
            }
        }
    }

    boolean over() {
        return System.nanoTime() >= deadlineNanos;
    }

    /** Connects for HTTP/1.1. */
    Wire http() throws IOException {
        return http(0);
    }

    /** Connects for HTTP/1.1; {@code receiveBytes} is what the kernel may hold of what was not read. */
    Wire http(int receiveBytes) throws IOException {
        return connect(target.http(), receiveBytes);
    }

    /** Connects for HTTP/2 and says the preface and SETTINGS. */
    Wire http2(int... settings) throws IOException {
        Wire wire = beforeHttp2();
        wire.send(Frames.join(Frames.PREFACE, Frames.settings(settings)));
        return wire;
    }

    /** Connects for HTTP/2 without a byte of it. */
    Wire beforeHttp2() throws IOException {
        return connect(target.http2(), 0);
    }

    /** Connects to the port of TLS without a byte of it. */
    Wire beforeTls() throws IOException {
        return connect(target.https(), 0);
    }

    /** Connects and makes a handshake. */
    Wire tls(String version, String... alpn) throws IOException {
        Wire wire = beforeTls().tls(version, alpn);
        wire.handshake();
        return wire;
    }

    private Wire connect(int port, int receiveBytes) throws IOException {
        Wire wire = Wire.connect(from, port, receiveBytes);
        mine.add(wire);
        open.add(wire);
        return wire;
    }

    /** Waits, at most until the time is up. */
    void pause(long millis) throws IOException {
        sleep(Math.min(millis, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime())));
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException();
        }
    }

    /** Reads nothing and sends nothing until the time is up. */
    void waitUnread() throws IOException {
        pause(Long.MAX_VALUE);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(Math.max(0, millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
