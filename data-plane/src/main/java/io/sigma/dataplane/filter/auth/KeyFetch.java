package io.sigma.dataplane.filter.auth;

import com.nimbusds.jose.jwk.JWKSet;
import io.sigma.dataplane.filter.GuardedHost;
import io.sigma.identity.AlternativeNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks for a key set (RFC 7517 §5). Redirects are not followed. Thread-safe. */
final class KeyFetch implements AutoCloseable {

    private static final int BODY_BYTES_MAX = 256 * 1024;

    private final URI url;
    private final GuardedHost host;
    private final Duration timeout;
    private final HttpClient client;

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
        if (url.getHost() == null) {
            return plainBody();
        }
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Accept", "application/jwk-set+json, application/json")
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
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException("not within " + timeout.toMillis() + " ms", e);
        } finally {
            sent.cancel(true);
        }
    }

    /** As {@link #body}, of a host that the other client of the JDK knows no name of: one with an underscore. */
    private byte[] plainBody() throws IOException {
        long end = System.nanoTime() + timeout.toNanos();
        HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
        int millis = Math.toIntExact(timeout.toMillis());
        connection.setConnectTimeout(millis);
        connection.setReadTimeout(millis);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty("Accept", "application/jwk-set+json, application/json");
        try {
            if (connection.getResponseCode() != 200) {
                throw new IOException("status " + connection.getResponseCode() + " (expected: 200)");
            }
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            byte[] piece = new byte[8192];
            InputStream in = connection.getInputStream();
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                body.write(piece, 0, read);
                if (body.size() > BODY_BYTES_MAX) {
                    throw new IOException("more than " + BODY_BYTES_MAX + " bytes");
                }
                if (System.nanoTime() - end > 0) {
                    throw new IOException("not within " + timeout.toMillis() + " ms");
                }
            }
            return body.toByteArray();
        } finally {
            connection.disconnect();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
