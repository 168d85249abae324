package io.sigma.dataplane.filter.auth;

import com.nimbusds.jose.jwk.JWKSet;
import io.sigma.dataplane.filter.GuardedClient;
import io.sigma.dataplane.filter.GuardedHost;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Asks for a key set (RFC 7517 §5). Redirects are not followed. Only addresses that were judged are connected to: the
 * name is never resolved again in between. Thread-safe.
 */
final class KeyFetch implements AutoCloseable {

    private static final int BODY_BYTES_MAX = 256 * 1024;
    private static final String ACCEPT = "application/jwk-set+json, application/json";

    private final URI url;
    private final GuardedHost host;
    private final Duration timeout;
    private final GuardedClient client;

    /**
     * @param timeout of all of an exchange
     */
    KeyFetch(GuardedHost host, Duration timeout) {
        this.url = host.url();
        this.host = host;
        this.timeout = timeout;
        this.client = new GuardedClient(host, timeout, "jwks", new OkHttpClient.Builder());
    }

    URI url() {
        return url;
    }

    /**
     * Returns the public keys that are published now; at least one. Blocks.
     *
     * @throws IOException when they are not available, or what is there is no key set
     */
    JWKSet keys() throws IOException {
        // The client asks for names only; this judges a literal too.
        host.admit();
        String text = new String(body(), StandardCharsets.UTF_8);
        try {
            // A secret that somebody publishes is no secret.
            JWKSet keys = JWKSet.parse(text).toPublicJWKSet();
            if (keys.isEmpty()) {
                throw new IOException("no public keys (expected: at least one)");
            }
            return keys;
        } catch (ParseException e) {
            throw new IOException("not a key set: " + e.getMessage(), e);
        }
    }

    private byte[] body() throws IOException {
        Request request = new Request.Builder()
                .url(url.toString())
                .header("Accept", ACCEPT)
                // Nothing is unpacked.
                .header("Accept-Encoding", "identity")
                .build();
        try (Response response = client.client().newCall(request).execute()) {
            if (response.code() != 200) {
                throw new IOException("status " + response.code() + " (expected: 200)");
            }
            byte[] body = GuardedClient.body(response, BODY_BYTES_MAX + 1L);
            if (body.length > BODY_BYTES_MAX) {
                throw new IOException("more than " + BODY_BYTES_MAX + " bytes");
            }
            return body;
        } catch (InterruptedIOException e) {
            throw late(e);
        }
    }

    private IOException late(Exception cause) {
        return new IOException("not within " + timeout.toMillis() + " ms", cause);
    }

    @Override
    public void close() {
        client.close();
    }
}
