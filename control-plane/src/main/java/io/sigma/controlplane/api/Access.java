package io.sigma.controlplane.api;

import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds out who asks, and refuses writes of pages of other origins. Confined to the server's verticle. */
final class Access {

    private static final String SCHEME = "bearer ";
    private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

    private final byte[] tokenDigest;
    private final FailureLimiter limiter;

    Access(String token, FailureLimiter limiter) {
        this.tokenDigest = digest(token);
        this.limiter = limiter;
    }

    /**
     * Returns who asks.
     *
     * @throws FailureException with {@link Failure.Unauthorized}, or {@link Failure.TooManyRequests} after too many wrong
     *     tokens from its address
     */
    Principal authenticate(HttpServerRequest request) {
        String presented = token(request.getHeader(HttpHeaders.AUTHORIZATION));
        if (presented == null) {
            throw new FailureException(new Failure.Unauthorized("(expected: Authorization: Bearer <admin token>)"));
        }
        String address = request.remoteAddress().hostAddress();
        long wait = limiter.waitSeconds(address);
        if (wait > 0) {
            throw new FailureException(new Failure.TooManyRequests("Too many wrong tokens from this address.", wait));
        }
        // Digests have one length, so the comparison takes the same time for every token.
        if (!MessageDigest.isEqual(digest(presented), tokenDigest)) {
            limiter.failed(address);
            throw new FailureException(new Failure.Unauthorized("This is not the admin token."));
        }
        return Principal.SETTINGS;
    }

    /**
     * Returns normally unless a page of another origin asks for a write (Fetch standard §3.2).
     *
     * @throws FailureException with {@link Failure.Forbidden}
     */
    static void refuseForeignWrites(HttpServerRequest request) {
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (origin == null || SAFE.contains(request.method())) {
            return;
        }
        String host = request.getHeader(HttpHeaders.HOST);
        if (host == null || !host.equalsIgnoreCase(authority(origin))) {
            throw new FailureException(new Failure.Forbidden(
                    "Origin: " + origin + " (expected: the origin of this server, " + host + ")"));
        }
    }

    private static @Nullable String authority(String origin) {
        try {
            return URI.create(origin).getRawAuthority();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable String token(@Nullable String authorization) {
        if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return null;
        }
        return authorization.substring(SCHEME.length()).strip();
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
