package io.sigma.dataplane.filter;

import com.nimbusds.jose.jwk.JWKSet;
import io.sigma.value.AddressGuard;
import io.sigma.value.Addresses;
import io.sigma.value.FetchUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
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

    /** Tells the addresses of a name. */
    @FunctionalInterface
    interface Names {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    private final URI url;
    private final AddressGuard addresses;
    private final Names names;
    private final Duration timeout;
    private final HttpClient client;

    /**
     * @param timeout of all of an exchange but the name service
     */
    KeyFetch(URI url, AddressGuard addresses, Names names, Duration timeout) {
        this.url = url;
        this.addresses = addresses;
        this.names = names;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder().connectTimeout(timeout).build();
    }

    URI url() {
        return url;
    }

    /**
     * Returns the public keys that are published now; at least one. Blocks.
     *
     * @throws IOException when they are not to be had, or what is there is no key set
     */
    JWKSet keys() throws IOException, InterruptedException {
        checkAddresses();
        String text = new String(body(), StandardCharsets.UTF_8);
        try {
            // A secret that somebody publishes is no secret.
            JWKSet keys = JWKSet.parse(text).toPublicJWKSet();
            if (keys.isEmpty()) {
                throw new IOException("no public keys (expected: at least one)");
            }
            return keys;
        } catch (ParseException e) {
            throw new IOException("no key set: " + e.getMessage(), e);
        }
    }

    /** The JDK remembers names for some seconds, so the connection goes to what is checked here. */
    private void checkAddresses() throws IOException {
        String host = FetchUrl.host(url);
        if (Addresses.isIpv4(host) || Addresses.isIpv6(host)) {
            return;
        }
        for (InetAddress address : names.addresses(host)) {
            if (addresses.refuses(host, address)) {
                throw new IOException(host + " is " + address.getHostAddress()
                        + " (expected: no link-local or metadata address, or an entry in upstreamAllow)");
            }
        }
    }

    private byte[] body() throws IOException, InterruptedException {
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

    @Override
    public void close() {
        client.shutdownNow();
    }
}
