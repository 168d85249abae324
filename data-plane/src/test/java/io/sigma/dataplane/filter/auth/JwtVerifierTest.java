package io.sigma.dataplane.filter.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.sigma.model.JwtPlugin;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class JwtVerifierTest {

    private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static JwtVerifier.Claims verified(String subject) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader(JWSAlgorithm.HS256),
                new JWTClaimsSet.Builder()
                        .subject(subject)
                        .expirationTime(Date.from(NOW.plusSeconds(60)))
                        .build());
        token.sign(new MACSigner(SECRET));
        JwtKeys keys = new JwtKeys(List.of(new OctetSequenceKey.Builder(SECRET).build()), null, null, System::nanoTime);
        JwtVerifier.Claims claims =
                new JwtVerifier(JwtPlugin.builder().build(), Set.of("HS256"), keys).verify(token.serialize(), NOW);
        assertThat(claims).isNotNull();
        return claims;
    }

    /** What is right is remembered, ten thousand of them in each plugin: so a subject has a bound. */
    @Test
    void aSubjectThatNoConsumerCanHaveIsNotKept() throws Exception {
        assertThat(verified("s".repeat(256)).subject()).hasSize(256);
        assertThat(verified("s".repeat(257)).subject()).isNull();
    }
}
