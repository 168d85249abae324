package io.sigma.dataplane.filter;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an issuer: those that the configuration has, and those that the issuer publishes, fetched when they are needed,
 * too old, or lack one that a token names. Blocks; thread-safe.
 */
final class JwtKeys implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JwtKeys.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int BODY_BYTES_MAX = 256 * 1024;

    /** Tokens with made-up keys must not make the gateway a nuisance to the issuer. */
    private static final long FETCH_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final List<JWK> fixed;
    private final @Nullable URI url;
    private final long refreshNanos;
    private final LongSupplier nanoTime;
    private final @Nullable HttpClient client;
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile @Nullable JWKSet published;
    private volatile long fetchedNanos;
    private volatile long triedNanos;
    private volatile boolean tried;

    /**
     * @param fixed keys of the configuration
     * @param url where the issuer publishes its keys; null for nowhere
     */
    JwtKeys(List<JWK> fixed, @Nullable String url, int refreshSeconds, LongSupplier nanoTime) {
        this.fixed = List.copyOf(fixed);
        this.url = url == null ? null : URI.create(url);
        this.refreshNanos = TimeUnit.SECONDS.toNanos(refreshSeconds);
        this.nanoTime = nanoTime;
        this.client = url == null
                ? null
                : HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    }

    /**
     * Returns the keys that may have signed a token with that header.
     *
     * @throws IOException when the issuer's keys were never to be had
     */
    List<JWK> of(JWSHeader header) throws IOException {
        if (isStale()) {
            fetch();
        }
        List<JWK> found = select(header);
        if (found.isEmpty() && url != null) {
            fetch();
            found = select(header);
        }
        if (found.isEmpty() && url != null && published == null) {
            throw new IOException("the keys at " + url + " are not to be had");
        }
        return found;
    }

    private List<JWK> select(JWSHeader header) {
        JWKMatcher matcher = JWKMatcher.forJWSHeader(header);
        if (matcher == null) {
            return List.of();
        }
        JWKSelector selector = new JWKSelector(matcher);
        List<JWK> found = new ArrayList<>(selector.select(new JWKSet(fixed)));
        // A key without an id is a candidate whatever id the token names.
        KeyType type = KeyType.forAlgorithm(header.getAlgorithm());
        fixed.stream()
                .filter(key -> key.getKeyID() == null && key.getKeyType().equals(type) && !found.contains(key))
                .forEach(found::add);
        JWKSet others = published;
        if (others != null) {
            found.addAll(selector.select(others));
        }
        return found;
    }

    private boolean isStale() {
        return url != null && (published == null || nanoTime.getAsLong() - fetchedNanos > refreshNanos);
    }

    /** One fetches; others wait for it only when there is nothing yet to go on with. */
    private void fetch() {
        if (published != null && fetching.isLocked()) {
            return;
        }
        fetching.lock();
        try {
            long now = nanoTime.getAsLong();
            if (client != null && url != null && (!tried || now - triedNanos > FETCH_EVERY_NANOS)) {
                tried = true;
                triedNanos = now;
                published = JWKSet.parse(body(client, url));
                fetchedNanos = nanoTime.getAsLong();
            }
        } catch (IOException | ParseException e) {
            LOG.warn("The keys at {} could not be fetched: {}", url, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            fetching.unlock();
        }
    }

    private static String body(HttpClient client, URI url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(TIMEOUT)
                .header("Accept", "application/json")
                .build();
        HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream in = response.body()) {
            byte[] body = in.readNBytes(BODY_BYTES_MAX + 1);
            if (response.statusCode() != 200 || body.length > BODY_BYTES_MAX) {
                throw new IOException("status " + response.statusCode() + ", " + body.length
                        + " bytes (expected: 200, at most " + BODY_BYTES_MAX + ")");
            }
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        if (client != null) {
            client.shutdownNow();
        }
    }
}
