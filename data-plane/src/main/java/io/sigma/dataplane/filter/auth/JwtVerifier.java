package io.sigma.dataplane.filter.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.sigma.dataplane.filter.CredentialQueue;
import io.sigma.model.JwtPlugin;
import java.io.IOException;
import java.security.Key;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a token is right (RFC 7519, RFC 8725). Blocks while keys are fetched and until its turn comes; how
 * many wait has a bound. Thread-safe.
 */
final class JwtVerifier {

    /**
     * The claims of a valid token.
     *
     * @param subject null when it names nobody
     * @param expiry after which it is not right any more, leeway included; null for never
     */
    record Claims(@Nullable String subject, @Nullable Instant expiry) {}

    /** The longest subject that a consumer may have: a longer one names none, and is not kept. */
    private static final int SUBJECT_LENGTH_MAX = 256;

    /** A token that names no key is tried with each, and an issuer may publish thousands. */
    private static final int CANDIDATES_MAX = 64;

    /** The check gave way to those of other addresses, or there was no room for it. */
    static final class NoTurn extends Exception {

        private static final long serialVersionUID = 1;

        NoTurn() {
            super("too many tokens are checked", null, false, false);
        }
    }

    private final JwtPlugin plugin;
    private final Set<String> algorithms;
    private final JwtKeys keys;
    private final CredentialQueue queue;
    private final Duration leeway;

    JwtVerifier(JwtPlugin plugin, Set<String> algorithms, JwtKeys keys, CredentialQueue queue) {
        this.plugin = plugin;
        this.algorithms = Set.copyOf(algorithms);
        this.keys = keys;
        this.queue = queue;
        this.leeway = Duration.ofSeconds(plugin.leewaySeconds());
    }

    /**
     * The result of a check.
     *
     * @param keyMissing whether there is no key to check the token with
     * @param claims null when the token is not right, which is also one that is expired
     */
    private record Result(
            boolean keyMissing, boolean signed, @Nullable Claims claims) {

        static final Result WRONG = new Result(false, false, null);
        static final Result KEY_MISSING = new Result(true, false, null);
    }

    /**
     * Returns the claims of {@code token}, null when it is not right. What waits for keys is in no other token's way,
     * and holds no more than the token itself.
     *
     * @param address of the client, as one of {@link io.sigma.limit.AddressBlock}
     * @throws IOException when there are no keys to check it with
     * @throws NoTurn when it is not checked now
     */
    @Nullable
    Claims verify(String token, String address, Instant now) throws IOException, NoTurn {
        await(keys.renewal(), address);
        Result result = inTurn(token, address, now);
        if (result.keyMissing()) {
            CompletableFuture<Void> addition = keys.addition();
            await(addition, address);
            result = addition == null ? result : inTurn(token, address, now);
        }
        String missing = keys.missing();
        if (result.keyMissing() && missing != null) {
            throw new IOException(missing);
        }
        return result.claims();
    }

    /** The name service has no limit of its own. */
    private void await(@Nullable CompletableFuture<Void> fetch, String address) throws NoTurn {
        if (fetch != null && !queue.await(address, fetch, JwtKeys.TIMEOUT.toMillis())) {
            throw new NoTurn();
        }
    }

    /** Reading a token takes memory and a processor, too. */
    private Result inTurn(String token, String address, Instant now) throws NoTurn {
        CredentialQueue.Turn turn = queue.join(address);
        if (turn == null || !turn.await()) {
            throw new NoTurn();
        }
        Result result = Result.WRONG;
        try {
            result = check(token, now);
            return result;
        } finally {
            turn.leave(result.keyMissing() || result.signed());
        }
    }

    private Result check(String token, Instant now) {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            // The algorithm is the configuration's choice, never the token's (RFC 8725 §3.1).
            if (!algorithms.contains(jwt.getHeader().getAlgorithm().getName())) {
                return Result.WRONG;
            }
            List<JWK> candidates = keys.select(jwt.getHeader());
            if (candidates.isEmpty()) {
                return Result.KEY_MISSING;
            }
            return isSigned(jwt, candidates)
                    ? new Result(false, true, claims(jwt.getJWTClaimsSet(), now))
                    : Result.WRONG;
        } catch (ParseException e) {
            return Result.WRONG;
        }
    }

    private static boolean isSigned(SignedJWT jwt, List<JWK> candidates) {
        DefaultJWSVerifierFactory factory = new DefaultJWSVerifierFactory();
        for (JWK jwk : candidates.subList(0, Math.min(candidates.size(), CANDIDATES_MAX))) {
            try {
                JWSVerifier verifier = factory.createJWSVerifier(jwt.getHeader(), key(jwk));
                if (jwt.verify(verifier)) {
                    return true;
                }
            } catch (JOSEException e) {
                // A key that does not fit; another may.
            }
        }
        return false;
    }

    private static Key key(JWK jwk) throws JOSEException {
        return switch (jwk) {
            case OctetSequenceKey secret -> secret.toSecretKey();
            case AsymmetricJWK pair -> pair.toPublicKey();
            default -> throw new JOSEException("kty: " + jwk.getKeyType());
        };
    }

    private @Nullable Claims claims(JWTClaimsSet claims, Instant now) {
        Date expiry = claims.getExpirationTime();
        Date begin = claims.getNotBeforeTime();
        boolean expired = expiry == null
                ? plugin.requireExpiry()
                : !now.isBefore(expiry.toInstant().plus(leeway));
        boolean early = begin != null && now.isBefore(begin.toInstant().minus(leeway));
        boolean issued = plugin.issuer() == null || plugin.issuer().equals(claims.getIssuer());
        boolean meant = plugin.audiences().isEmpty() || !Collections.disjoint(plugin.audiences(), claims.getAudience());
        if (expired || early || !issued || !meant) {
            return null;
        }
        Object subject = claims.getClaim(plugin.consumerClaim());
        return new Claims(
                subject instanceof String text && text.length() <= SUBJECT_LENGTH_MAX ? text : null,
                expiry == null ? null : expiry.toInstant().plus(leeway));
    }
}
