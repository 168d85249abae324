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
import org.jspecify.annotations.Nullable;

/** Decides whether a token is right (RFC 7519, RFC 8725). Blocks while keys are fetched and until its turn comes;
 * thread-safe. */
final class JwtVerifier {

    /**
     * What a token that is right says.
     *
     * @param subject null when it names nobody
     * @param expiry after which it is not right any more, leeway included; null for never
     */
    record Claims(@Nullable String subject, @Nullable Instant expiry) {}

    /** The longest subject that a consumer may have: a longer one names none, and is not kept. */
    private static final int SUBJECT_LENGTH_MAX = 256;

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
     * Returns the claims of {@code token}, null when it is not right. Waits for its turn once the keys are there, so
     * that a slow issuer keeps out no tokens of others.
     *
     * @param address of the client, as one of {@link io.sigma.limit.AddressBlock}
     * @throws IOException when there are no keys to check it with
     * @throws NoTurn when it is not checked now
     */
    @Nullable
    Claims verify(String token, String address, Instant now) throws IOException, NoTurn {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            // The algorithm is the configuration's choice, never the token's (RFC 8725 §3.1).
            if (!algorithms.contains(jwt.getHeader().getAlgorithm().getName())) {
                return null;
            }
            List<JWK> candidates = keys.of(jwt.getHeader());
            if (candidates.isEmpty() || !isSigned(jwt, candidates, address)) {
                return null;
            }
            return claims(jwt.getJWTClaimsSet(), now);
        } catch (ParseException e) {
            return null;
        }
    }

    private boolean isSigned(SignedJWT jwt, List<JWK> candidates, String address) throws NoTurn {
        CredentialQueue.Turn turn = queue.join(address);
        if (turn == null || !turn.await()) {
            throw new NoTurn();
        }
        boolean signed = false;
        try {
            signed = isSigned(jwt, candidates);
        } finally {
            turn.leave(signed);
        }
        return signed;
    }

    private static boolean isSigned(SignedJWT jwt, List<JWK> candidates) {
        DefaultJWSVerifierFactory factory = new DefaultJWSVerifierFactory();
        for (JWK jwk : candidates) {
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
