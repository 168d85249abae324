package io.sigma.dataplane.filter.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import io.sigma.check.HmacSecret;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Identity;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.RecentMap;
import io.sigma.dataplane.filter.Replies;
import io.sigma.dataplane.watch.UnusableFile;
import io.sigma.dataplane.watch.WatchedFile;
import io.sigma.dataplane.watch.WatchedFiles;
import io.sigma.limit.AddressBlock;
import io.sigma.model.JwtAlgorithm;
import io.sigma.model.JwtPlugin;
import io.sigma.value.FetchUrl;
import io.sigma.value.InvalidValue;
import io.sigma.value.Mismatch;
import io.sigma.value.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows clients by signed tokens. They are read and checked off the event loops, where keys may have to be fetched; a
 * token that was right is remembered, by digest, for at most as long as keys are.
 */
public final class JwtFilter implements Filter {

    private static final String SCHEME = "bearer ";
    private static final String CHALLENGE = "Bearer";
    private static final String INVALID = "Bearer error=\"invalid_token\"";
    private static final int REMEMBERED_MAX = 10_000;
    private static final int TOKEN_LENGTH_MAX = 16 * 1024;

    /** @param secret that the file had; null when there is no file */
    private record Remembered(
            JwtVerifier.Claims claims,
            long sinceNanos,
            @Nullable JWK secret) {}

    private static final Set<String> KEY_MEMBERS = Set.of("kty", "kid", "alg", "use", "n", "e", "crv", "x", "y");

    /** Carries the result from the worker to the loop; the hand-over between the two orders the accesses. */
    private static final class Outcome {
        private JwtVerifier.@Nullable Claims claims;
        private boolean keyless;
        private boolean busy;
    }

    private final FilterServices services;
    private final LongSupplier nanoTime;
    private final JwtKeys keys;
    private final JwtVerifier verifier;
    private final boolean requiresConsumer;
    private final boolean hides;
    private final long rememberNanos;
    private final RecentMap<Remembered> right = new RecentMap<>(REMEMBERED_MAX);

    public JwtFilter(JwtPlugin plugin, FilterServices services) {
        this.services = services;
        this.nanoTime = services.nanoTime();
        this.keys = new JwtKeys(fixed(plugin), file(plugin, services.files()), source(plugin, services), nanoTime);
        this.verifier = new JwtVerifier(
                plugin, algorithms(plugin), keys, services.consumers().tokens());
        this.requiresConsumer = plugin.requireConsumer();
        this.hides = plugin.hideCredentials();
        this.rememberNanos = TimeUnit.SECONDS.toNanos(plugin.jwksRefreshSeconds());
    }

    private static JwtKeys.@Nullable Source source(JwtPlugin plugin, FilterServices services) {
        String url = plugin.jwksUrl();
        return url == null
                ? null
                : new JwtKeys.Source(FetchUrl.parse(url), plugin.jwksRefreshSeconds(), services.addresses());
    }

    private static Set<String> algorithms(JwtPlugin plugin) {
        Set<String> names = new LinkedHashSet<>();
        plugin.algorithms().forEach(algorithm -> names.add(algorithm.name()));
        if (names.isEmpty()) {
            boolean publicKeys = plugin.jwksUrl() != null || plugin.jwks() != null;
            names.addAll(publicKeys ? Set.of("RS256", "ES256") : Set.of("HS256"));
        }
        return names;
    }

    private static List<JWK> fixed(JwtPlugin plugin) {
        List<JWK> keys = new ArrayList<>();
        try {
            if (plugin.jwks() != null) {
                keys.addAll(JWKSet.parse(checked(plugin.jwks())).getKeys());
            }
            String secret = plugin.secret();
            if (secret != null) {
                keys.add(new OctetSequenceKey.Builder(secret.getBytes(StandardCharsets.UTF_8)).build());
            }
        } catch (ParseException e) {
            throw new InvalidValue("jwks: " + e.getMessage());
        }
        return keys;
    }

    /** Returns the keys with those members only that were looked at when the configuration was taken. */
    private static String checked(JsonNode jwks) {
        ObjectNode copy = jwks.deepCopy();
        copy.retain("keys");
        copy.path("keys").forEach(key -> ((ObjectNode) key).retain(KEY_MEMBERS));
        return copy.toString();
    }

    private static @Nullable WatchedFile<JWK> file(JwtPlugin plugin, WatchedFiles files) {
        String path = plugin.secretPath();
        if (path == null) {
            return null;
        }
        try {
            return files.open(List.of(path), contents -> secret(contents.getFirst(), plugin.algorithms()));
        } catch (UnusableFile e) {
            if (e.isRefused()) {
                // It was stored before the gateway's settings refused it: no token is signed with it.
                return null;
            }
            throw new InvalidValue("secretPath: " + e.getMessage());
        }
    }

    private static JWK secret(byte[] bytes, List<JwtAlgorithm> algorithms) throws UnusableFile {
        Mismatch problem = HmacSecret.problem(algorithms, bytes.length);
        if (problem != null) {
            throw new UnusableFile(0, problem.toString());
        }
        return new OctetSequenceKey.Builder(bytes).build();
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        if (Authentication.isDone(exchange)) {
            return Verdict.CONTINUE;
        }
        String token = Authentication.credentials(exchange, SCHEME, hides);
        if (token == null) {
            return Authentication.offer(exchange, CHALLENGE);
        }
        if (token.length() > TOKEN_LENGTH_MAX) {
            return Authentication.refuse(replies, INVALID);
        }
        String digest = Sha256.hex(token);
        Remembered known = right.get(digest);
        if (known != null && isRight(known)) {
            return decide(exchange, replies, known.claims());
        }
        return verify(exchange, replies, token, digest);
    }

    @SuppressWarnings("ReferenceEquality") // An unchanged value is the same object.
    private boolean isRight(Remembered known) {
        if (known.secret() != keys.ofFile()) {
            return false;
        }
        Instant expiry = known.claims().expiry();
        boolean expired = expiry != null && !services.clock().instant().isBefore(expiry);
        return !expired && nanoTime.getAsLong() - known.sinceNanos() < rememberNanos;
    }

    private Verdict verify(Exchange exchange, Replies replies, String token, String digest) {
        Outcome outcome = new Outcome();
        JWK secret = keys.ofFile();
        String address = AddressBlock.of(exchange.clientAddress());
        replies.offLoop(
                () -> {
                    try {
                        outcome.claims =
                                verifier.verify(token, address, services.clock().instant());
                    } catch (IOException e) {
                        outcome.keyless = true;
                    } catch (JwtVerifier.NoTurn e) {
                        outcome.busy = true;
                    }
                },
                () -> {
                    JwtVerifier.Claims claims = outcome.claims;
                    if (outcome.keyless) {
                        replies.fail(ErrorKind.IDENTITY_UNKNOWN, Map.of("retry-after", "10"));
                    } else if (outcome.busy) {
                        Authentication.busy(replies);
                    } else if (claims == null) {
                        Authentication.refuse(replies, INVALID);
                    } else {
                        right.put(digest, new Remembered(claims, nanoTime.getAsLong(), secret));
                        if (decide(exchange, replies, claims) == Verdict.CONTINUE) {
                            replies.proceed();
                        }
                    }
                });
        return Verdict.TAKEN;
    }

    private Verdict decide(Exchange exchange, Replies replies, JwtVerifier.Claims claims) {
        String subject = claims.subject();
        Identity identity =
                subject == null ? null : services.consumers().directory().ofSubject(subject);
        return identity == null && requiresConsumer
                ? Authentication.refuse(replies, INVALID)
                : Authentication.accept(exchange, identity);
    }

    @Override
    public void close() {
        keys.close();
    }
}
