package io.sigma.dataplane.filter.auth;

import com.nimbusds.jose.jwk.JWKSet;
import io.sigma.dataplane.filter.GuardedClient;
import io.sigma.dataplane.filter.GuardedHost;
import io.sigma.identity.AlternativeNames;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Asks for a key set (RFC 7517 §5). Redirects are not followed. Thread-safe. */
final class KeyFetch implements AutoCloseable {

    private static final int BODY_BYTES_MAX = 256 * 1024;
    private static final String ACCEPT = "application/jwk-set+json, application/json";

    private final URI url;
    private final GuardedHost host;
    private final Duration timeout;
    private final HttpClient client;
    /** Null where the client of the JDK knows the name of the host. */
    private final @Nullable GuardedClient plain;

    /**
     * @param timeout of all of an exchange but the name service
     */
    KeyFetch(GuardedHost host, Duration timeout) {
        this.url = host.url();
        this.host = host;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .sslContext(AlternativeNames.contextOfPlatform())
                .connectTimeout(timeout)
                .build();
        this.plain =
                url.getHost() != null ? null : new GuardedClient(host, timeout, "jwks", new OkHttpClient.Builder());
    }

    URI url() {
        return url;
    }

    /**
     * Returns the public keys that are published now; at least one. Blocks.
     *
     * @throws IOException when they are not available, or what is there is no key set
     */
    JWKSet keys() throws IOException, InterruptedException {
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

    private byte[] body() throws IOException, InterruptedException {
        GuardedClient other = plain;
        if (other != null) {
            return plainBody(other);
        }
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Accept", ACCEPT)
                .build();
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(
                request, HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), BODY_BYTES_MAX));
        try {
            // The limit of the request ends with its head; this one bounds the body too.
            HttpResponse<byte[]> response = sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() != 200) {
                throw new IOException("status " + response.statusCode() + " (expected: 200)");
            }
            return response.body();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof HttpTimeoutException
                    ? late(e)
                    : new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw late(e);
        } finally {
            sent.cancel(true);
        }
    }

    /** As {@link #body}, of a host that the client of the JDK knows no name of: one with an underscore. */
    private byte[] plainBody(GuardedClient plain) throws IOException {
        Request request = new Request.Builder()
                .url(url.toString())
                .header("Accept", ACCEPT)
                // Nothing is unpacked.
                .header("Accept-Encoding", "identity")
                .build();
        try (Response response = plain.client().newCall(request).execute()) {
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
        client.shutdownNow();
        GuardedClient other = plain;
        if (other != null) {
            other.close();
        }
    }
}
