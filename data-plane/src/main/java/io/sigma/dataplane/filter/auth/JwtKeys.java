package io.sigma.dataplane.filter.auth;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import io.sigma.dataplane.filter.GuardedHost;
import io.sigma.dataplane.watch.WatchedFile;
import io.sigma.value.AddressGuard;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an issuer: those that the configuration has, and those that the issuer publishes, fetched when they are
 * needed, too old, or lack one that a token names. What cannot be fetched, or is no key set, leaves the last good keys.
 * Thread-safe.
 */
final class JwtKeys implements AutoCloseable {

    /**
     * Where an issuer publishes its keys.
     *
     * @param refreshSeconds how old they may become
     * @param addresses where gateways may not connect to
     */
    record Source(URI url, int refreshSeconds, AddressGuard addresses) {}

    private static final Logger LOG = LoggerFactory.getLogger(JwtKeys.class);
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Tokens with made-up keys must not make the gateway a nuisance to the issuer, nor must its failures. */
    private static final long FETCH_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);

    private final List<JWK> fixed;
    private final @Nullable WatchedFile<JWK> file;
    private final @Nullable Source source;
    private final @Nullable KeyFetch fetch;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable JWKSet published;
    private volatile boolean failing;
    private volatile boolean closed;
    private volatile long fetchedNanos;

    // Guarded by the lock.
    private CompletableFuture<Void> running = NOTHING;
    private boolean tried;
    private long triedNanos;
    private boolean missed;
    private long missedNanos;

    /**
     * @param fixed keys of the configuration
     * @param file has one more; null for none
     * @param source null when nothing is published
     */
    JwtKeys(List<JWK> fixed, @Nullable WatchedFile<JWK> file, @Nullable Source source, LongSupplier nanoTime) {
        this.fixed = List.copyOf(fixed);
        this.file = file;
        this.source = source;
        this.fetch = source == null ? null : new KeyFetch(new GuardedHost(source.url(), source.addresses()), TIMEOUT);
        this.nanoTime = nanoTime;
    }

    /** Begins to fetch keys that are not there yet or too old; returns what to wait for then, null for nothing. */
    @Nullable
    CompletableFuture<Void> renewal() {
        if (source == null || fetch == null) {
            return null;
        }
        boolean none = published == null;
        if (!none && nanoTime.getAsLong() - fetchedNanos <= TimeUnit.SECONDS.toNanos(source.refreshSeconds())) {
            return null;
        }
        boolean wait = none || !failing;
        CompletableFuture<Void> refresh = refresh(fetch, false);
        return wait ? refresh : null;
    }

    /** As {@link #renewal}, because a token names a key that is not there. */
    @Nullable
    CompletableFuture<Void> addition() {
        return fetch == null || published == null ? null : refresh(fetch, true);
    }

    /** Returns why there are no keys of the issuer; null when there are, or none is asked. */
    @Nullable
    String missing() {
        return source == null || published != null ? null : "the keys at " + source.url() + " are not available";
    }

    /** Returns the key that the file has now; null when there is no file. */
    @Nullable
    JWK ofFile() {
        return file == null ? null : file.value();
    }

    private List<JWK> own() {
        JWK read = ofFile();
        if (read == null) {
            return fixed;
        }
        List<JWK> both = new ArrayList<>(fixed);
        both.add(read);
        return both;
    }

    /** Returns the keys that may have signed a token with that header, as far as they are there. */
    List<JWK> select(JWSHeader header) {
        JWKMatcher matcher = JWKMatcher.forJWSHeader(header);
        if (matcher == null) {
            return List.of();
        }
        JWKSelector selector = new JWKSelector(matcher);
        List<JWK> own = own();
        List<JWK> found = new ArrayList<>(selector.select(new JWKSet(own)));
        // A key without an id is a candidate whatever id the token names.
        KeyType type = KeyType.forAlgorithm(header.getAlgorithm());
        own.stream()
                .filter(key -> key.getKeyID() == null && key.getKeyType().equals(type) && !found.contains(key))
                .forEach(found::add);
        JWKSet others = published;
        if (others != null) {
            found.addAll(selector.select(others));
        }
        return found;
    }

    /**
     * Begins a fetch, unless one runs or it is too soon, and returns the one to wait for.
     *
     * @param missing whether a token named a key that is not there
     */
    private CompletableFuture<Void> refresh(KeyFetch from, boolean missing) {
        lock.lock();
        try {
            if (!running.isDone()) {
                return running;
            }
            long now = nanoTime.getAsLong();
            boolean tooSoon = (missing && !failing)
                    ? (missed && now - missedNanos <= FETCH_EVERY_NANOS)
                    : tried && now - triedNanos <= FETCH_EVERY_NANOS;
            if (tooSoon) {
                return NOTHING;
            }
            tried = true;
            triedNanos = now;
            if (missing) {
                missed = true;
                missedNanos = now;
            }
            running = CompletableFuture.runAsync(
                    () -> replace(from), task -> Thread.ofVirtual().name("jwks").start(task));
            return running;
        } finally {
            lock.unlock();
        }
    }

    private void replace(KeyFetch from) {
        try {
            published = from.keys();
            fetchedNanos = nanoTime.getAsLong();
            failing = false;
        } catch (IOException e) {
            failing = true;
            if (closed) {
                return;
            }
            LOG.warn(
                    "The keys at {} could not be fetched{}: {}",
                    from.url(),
                    published == null ? "" : ", so that the last good ones stay",
                    String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        closed = true;
        if (fetch != null) {
            fetch.close();
        }
    }
}
