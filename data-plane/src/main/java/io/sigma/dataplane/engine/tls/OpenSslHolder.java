package io.sigma.dataplane.engine.tls;

import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import java.lang.ref.Cleaner;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;

/**
 * A context of OpenSSL, which is freed when nothing refers to it and its engines are released: Vert.x, which keeps
 * contexts, knows no end of them. Of a listener it gives out tickets by which sessions are resumed; their keys, which
 * all event loops share, are replaced while connections come. Thread-safe.
 */
final class OpenSslHolder extends DelegatingSslContext {

    private static final Cleaner CLEANER = Cleaner.create();
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The time for which tickets are made with one key. They are accepted for up to {@link #KEYS} times as long. */
    private static final long KEY_NANOS = TimeUnit.MINUTES.toNanos(30);

    private static final int KEYS = 3;
    /** The name of a key, and the two keys that it stands for. */
    private static final int KEY_BYTES = OpenSslSessionTicketKey.NAME_SIZE
            + OpenSslSessionTicketKey.HMAC_KEY_SIZE
            + OpenSslSessionTicketKey.AES_KEY_SIZE;

    private final ReferenceCountedOpenSslContext context;
    private final LongSupplier nanoTime;
    private final AtomicLong keyMade;
    /** The latest first. Guarded by this. */
    private List<byte[]> keys = List.of();

    /**
     * @param context is released by this object
     * @param nanoTime the clock, in nanoseconds from any origin
     */
    OpenSslHolder(ReferenceCountedOpenSslContext context, LongSupplier nanoTime) {
        super(context);
        this.context = context;
        this.nanoTime = nanoTime;
        this.keyMade = new AtomicLong(nanoTime.getAsLong());
        CLEANER.register(this, context::release);
        if (isClient()) {
            // Tickets of nodes are taken.
            context.sessionContext().setTicketKeys();
        } else {
            addKey();
        }
    }

    @Override
    protected void initEngine(SSLEngine engine) {
        if (isClient()) {
            return;
        }
        long made = keyMade.get();
        long now = nanoTime.getAsLong();
        if (now - made > KEY_NANOS && keyMade.compareAndSet(made, now)) {
            addKey();
        }
    }

    private synchronized void addKey() {
        byte[] made = new byte[KEY_BYTES];
        RANDOM.nextBytes(made);
        List<byte[]> next = new ArrayList<>(List.of(made));
        next.addAll(keys);
        use(next);
    }

    /** Returns the keys of tickets, the latest first. */
    synchronized List<byte[]> ticketKeys() {
        return keys.stream().map(byte[]::clone).toList();
    }

    /**
     * Uses the keys of another process, the latest first, in place of its own: each of both takes the tickets of the
     * other. Those of another length are left out.
     */
    synchronized void ticketKeys(List<byte[]> others) {
        List<byte[]> next = new ArrayList<>();
        others.stream()
                .filter(key -> key.length == KEY_BYTES)
                .map(byte[]::clone)
                .forEach(next::add);
        if (!next.isEmpty()) {
            use(next);
        }
    }

    private void use(List<byte[]> next) {
        keys = List.copyOf(next.subList(0, Math.min(next.size(), KEYS)));
        context.sessionContext()
                .setTicketKeys(keys.stream().map(OpenSslHolder::key).toArray(OpenSslSessionTicketKey[]::new));
    }

    private static OpenSslSessionTicketKey key(byte[] octets) {
        int hmac = OpenSslSessionTicketKey.NAME_SIZE;
        int aes = hmac + OpenSslSessionTicketKey.HMAC_KEY_SIZE;
        return new OpenSslSessionTicketKey(
                Arrays.copyOfRange(octets, 0, hmac),
                Arrays.copyOfRange(octets, hmac, aes),
                Arrays.copyOfRange(octets, aes, KEY_BYTES));
    }
}
