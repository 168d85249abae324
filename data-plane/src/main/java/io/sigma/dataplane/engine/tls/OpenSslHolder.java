package io.sigma.dataplane.engine.tls;

import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import java.lang.ref.Cleaner;
import java.security.SecureRandom;
import java.util.Arrays;
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

    /** How long tickets are made with one key. They are taken for up to {@link #KEYS} times as long. */
    private static final long KEY_NANOS = TimeUnit.MINUTES.toNanos(30);

    private static final int KEYS = 3;

    private final ReferenceCountedOpenSslContext context;
    private final LongSupplier nanoTime;
    private final AtomicLong keyMade;
    /** The latest first. Guarded by this. */
    private OpenSslSessionTicketKey[] keys = {};

    /**
     * @param context is released by this object
     * @param nanoTime what time it is, in nanoseconds of any beginning
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
        OpenSslSessionTicketKey[] next = Arrays.copyOf(keys, Math.min(keys.length + 1, KEYS));
        System.arraycopy(keys, 0, next, 1, next.length - 1);
        next[0] = new OpenSslSessionTicketKey(
                random(OpenSslSessionTicketKey.NAME_SIZE),
                random(OpenSslSessionTicketKey.HMAC_KEY_SIZE),
                random(OpenSslSessionTicketKey.AES_KEY_SIZE));
        keys = next;
        context.sessionContext().setTicketKeys(next);
    }

    private static byte[] random(int length) {
        byte[] octets = new byte[length];
        RANDOM.nextBytes(octets);
        return octets;
    }
}
