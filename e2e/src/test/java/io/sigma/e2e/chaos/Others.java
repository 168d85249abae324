package io.sigma.e2e.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that do nothing wrong: ten requests a second each, from 127.0.0.1, by every protocol, on connections that
 * stay and on new ones. A request has its time whether or not the one before was slow, and its duration counts from
 * that time, so that a gateway that stands still is not measured once only.
 */
final class Others implements AutoCloseable {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long END_MILLIS = 30_000;

    private final List<Thread> threads = new ArrayList<>();
    private final List<Phase> busy = new ArrayList<>();
    private final Target target;
    private volatile Phase phase = new Phase();
    private volatile boolean running = true;

    private Others(Target target) {
        this.target = target;
    }

    static Others start(Target target) {
        Others others = new Others(target);
        String from = "127.0.0.1";
        Client.Opening plain = () -> Wire.connect(from, target.http(), 0);
        Client.Opening tls = () -> tls(from, target.https());
        Client.Opening http2 = () -> Wire.connect(from, target.http2(), 0);
        List<Client> clients = List.of(
                new Http1Client("kept HTTP/1.1", plain, true, Http1Client.get("/small")),
                new Http1Client("new HTTP/1.1", plain, false, Http1Client.get("/small")),
                new Http1Client("kept HTTP/1.1, 256 KiB", plain, true, Http1Client.get("/medium")),
                new Http1Client("kept HTTP/1.1, POST", plain, true, Http1Client.post("/echo", 1_000)),
                new Http1Client("kept TLS", tls, true, Http1Client.get("/small")),
                new Http1Client("new TLS", tls, false, Http1Client.get("/small")),
                new Http2Client("kept HTTP/2", http2, "/small"),
                new Http2Client("kept HTTP/2, 256 KiB", http2, "/medium"));
        clients.forEach(client -> others.busy.add(others.phase));
        for (int i = 0; i < clients.size(); i++) {
            int at = i;
            others.threads.add(Thread.ofPlatform().daemon().name("other").start(() -> others.run(at, clients.get(at))));
        }
        return others;
    }

    private static Wire tls(String from, int port) throws IOException {
        Wire wire = Wire.connect(from, port, 0);
        try {
            Wire tls = wire.tls("TLSv1.3", "http/1.1");
            tls.handshake();
            return tls;
        } catch (IOException e) {
            wire.close();
            throw e;
        }
    }

    private void run(int at, Client client) {
        long due = System.nanoTime() + PERIOD_NANOS * at / busy.size();
        Phase last = phase;
        while (running) {
            Phase now = phase;
            if (now != last) {
                // What an attack delayed is not held against what follows it.
                due = Math.max(due, System.nanoTime());
                last = now;
            }
            synchronized (busy) {
                busy.set(at, now);
            }
            await(due);
            try {
                client.request();
                now.answered(System.nanoTime() - due);
            } catch (IOException e) {
                now.failed(client + ": " + e.getMessage());
                client.close();
            }
            due += PERIOD_NANOS;
        }
        client.close();
    }

    private static void await(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Begins a phase; requests whose time is before now belong to the one before. */
    Phase begin() {
        Phase next = new Phase();
        phase = next;
        return next;
    }

    /** Waits until every client has come to the phase that began last, so that nothing of those before is missing. */
    void settle() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
        while (System.nanoTime() < deadline) {
            synchronized (busy) {
                if (busy.stream().allMatch(now -> now == phase)) {
                    return;
                }
            }
            await(System.nanoTime() + PERIOD_NANOS / 10);
        }
    }

    @Override
    public void close() {
        running = false;
        try {
            for (Thread thread : threads) {
                thread.join(END_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "others at " + target.name();
    }
}
