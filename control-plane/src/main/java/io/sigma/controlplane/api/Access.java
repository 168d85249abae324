package io.sigma.controlplane.api;

import io.sigma.controlplane.access.Accounts;
import io.sigma.controlplane.access.ApiTokens;
import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.api.request.Client;
import io.sigma.controlplane.api.request.Clients;
import io.sigma.controlplane.api.request.KnownAddresses;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.port.FailureLimiter;
import io.sigma.model.Role;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who asks and whether it may, and refuses writes of pages of other origins. Confined to the server's
 * verticle; waits for the database.
 */
final class Access {

    private static final String SCHEME = "bearer ";
    private static final String SITE = "Sec-Fetch-Site";
    private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

    /** The operations of a user who must change the password first. */
    private static final Set<String> WITH_ANY_PASSWORD = Set.of("getSession", "logOut", "changeOwnPassword");

    private final byte[] tokenDigest;
    private final Accounts accounts;
    private final FailureLimiter limiter;
    private final Lookups lookups = new Lookups();
    private final Clients clients;
    private final KnownAddresses known;

    /**
     * @param token the admin token of the settings
     * @param limiter counts wrong tokens by address
     * @param known where the addresses of good credentials are noted
     */
    Access(String token, Accounts accounts, FailureLimiter limiter, Clients clients, KnownAddresses known) {
        this.known = known;
        this.clients = clients;
        this.tokenDigest = digest(token);
        this.accounts = accounts;
        this.limiter = limiter;
    }

    /** Returns whether a request changes nothing, by its method. */
    static boolean isSafe(HttpServerRequest request) {
        return SAFE.contains(request.method());
    }

    /**
     * Returns who asks.
     *
     * @throws FailureException with {@link Failure.Unauthorized}; {@link Failure.TooManyRequests} after too many wrong
     *     tokens from its address; {@link Failure.Forbidden} when a session's write does not say which page it comes
     *     from
     */
    Principal authenticate(HttpServerRequest request) {
        Client client = clients.of(request);
        String token = token(request);
        if (token == null && client.sessionKey() == null) {
            throw new FailureException(
                    new Failure.Unauthorized("(expected: Authorization: Bearer <token>, or the cookie of a session)"));
        }
        // A session's key need not be limited, nobody guesses 256 bits; and a browser may well show one that has ended.
        Principal principal = token == null ? ofSession(request, client) : ofToken(token, client.block());
        known.add(client.block());
        return principal;
    }

    /** A token that is good is taken whatever else its address has shown. */
    private Principal ofToken(String token, String block) {
        Optional<Principal> found = find(token, block);
        if (found.isPresent()) {
            return found.get();
        }
        long wait = limiter.waitSeconds(block);
        if (wait > 0) {
            throw new FailureException(new Failure.TooManyRequests("Too many wrong tokens from this address.", wait));
        }
        limiter.failed(block);
        throw new FailureException(new Failure.Unauthorized("This is neither the admin token nor a valid API token."));
    }

    private Optional<Principal> find(String token, String block) {
        if (isOfSettings(token)) {
            return Optional.of(Principal.SETTINGS);
        }
        return ApiTokens.isShaped(token)
                ? lookups.find(hex(token), block, () -> accounts.tokens().find(token))
                : Optional.empty();
    }

    private Principal ofSession(HttpServerRequest request, Client client) {
        if (!isSafe(request) && request.getHeader(SITE) == null && request.getHeader(HttpHeaders.ORIGIN) == null) {
            throw new FailureException(new Failure.Forbidden(
                    "The write has the cookie of a session (expected: Sec-Fetch-Site or Origin too)"));
        }
        return Optional.ofNullable(client.sessionKey())
                .flatMap(key -> lookups.find(
                        hex(key), client.block(), () -> accounts.sessions().find(key)))
                .orElseThrow(() -> new FailureException(new Failure.Unauthorized("The session has ended.")));
    }

    /**
     * Returns normally when {@code principal} may ask for an operation.
     *
     * @throws FailureException with {@link Failure.Forbidden}
     */
    static void authorize(Principal principal, Role least, @Nullable String operationId) {
        principal.require(least);
        if (principal.mustChangePassword() && (operationId == null || !WITH_ANY_PASSWORD.contains(operationId))) {
            throw new FailureException(new Failure.Forbidden("Another user set the password of " + principal.name()
                    + " (expected: PUT /session/password first)"));
        }
    }

    /**
     * Returns whether the credentials of an earlier request are still good, as far as is known: without the database
     * only when they end by themselves. Does not count as their use.
     *
     * @param principal whom they were found to belong to
     */
    boolean isAlive(HttpServerRequest request, @Nullable Principal principal) {
        try {
            return isAlive(request);
        } catch (FailureException e) {
            return principal != null && !principal.isOver(Instant.now());
        }
    }

    private boolean isAlive(HttpServerRequest request) {
        String token = token(request);
        if (token != null) {
            return isOfSettings(token) || accounts.tokens().isAlive(token);
        }
        String key = clients.of(request).sessionKey();
        return key != null && accounts.sessions().isAlive(key);
    }

    /**
     * Returns normally unless a page of another origin asks for a write (Fetch standard §3.2, Fetch Metadata §2.3).
     *
     * @throws FailureException with {@link Failure.Forbidden}
     */
    static void refuseForeignWrites(HttpServerRequest request) {
        if (isSafe(request)) {
            return;
        }
        // Browsers say it themselves, no page can. It holds also where a proxy in front of us rewrites Host.
        String site = request.getHeader(SITE);
        if (site != null) {
            if (!site.equals("same-origin") && !site.equals("none")) {
                throw new FailureException(new Failure.Forbidden(SITE + ": " + site + " (expected: same-origin)"));
            }
            return;
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        String host = request.getHeader(HttpHeaders.HOST);
        if (origin != null && (host == null || !host.equalsIgnoreCase(authority(origin)))) {
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

    /** @throws FailureException with {@link Failure.BadRequest} for several: a proxy may check another one of them */
    private static @Nullable String token(HttpServerRequest request) {
        List<String> all = request.headers().getAll(HttpHeaders.AUTHORIZATION);
        if (all.size() > 1) {
            throw new FailureException(new Failure.BadRequest("Authorization: " + all.size() + " (expected: one)"));
        }
        String authorization = all.isEmpty() ? null : all.getFirst();
        if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return null;
        }
        return authorization.substring(SCHEME.length()).strip();
    }

    private boolean isOfSettings(String token) {
        // Digests have one length, so the comparison takes the same time for every token.
        return MessageDigest.isEqual(digest(token), tokenDigest);
    }

    private static String hex(String credential) {
        return HexFormat.of().formatHex(digest(credential));
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
