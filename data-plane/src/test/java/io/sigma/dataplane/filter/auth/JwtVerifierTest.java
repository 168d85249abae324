package io.sigma.dataplane.filter.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.sigma.dataplane.filter.CredentialQueue;
import io.sigma.model.JwtPlugin;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class JwtVerifierTest {

    private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final CredentialQueue queue = new CredentialQueue(1_000);

    private static String token(String subject) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader(JWSAlgorithm.HS256),
                new JWTClaimsSet.Builder()
                        .subject(subject)
                        .expirationTime(Date.from(NOW.plusSeconds(60)))
                        .build());
        token.sign(new MACSigner(SECRET));
        return token.serialize();
    }

    private JwtVerifier verifier() {
        JwtKeys keys = new JwtKeys(List.of(new OctetSequenceKey.Builder(SECRET).build()), null, null, System::nanoTime);
        return new JwtVerifier(JwtPlugin.builder().build(), Set.of("HS256"), keys, queue);
    }

    private JwtVerifier.Claims verified(String subject) throws Exception {
        JwtVerifier.Claims claims = verifier().verify(token(subject), "192.0.2.1", NOW);
        assertThat(claims).isNotNull();
        return claims;
    }

    /** What is right is remembered, ten thousand of them in each plugin: so a subject has a bound. */
    @Test
    void aSubjectThatNoConsumerCanHaveIsNotKept() throws Exception {
        assertThat(verified("s".repeat(256)).subject()).hasSize(256);
        assertThat(verified("s".repeat(257)).subject()).isNull();
    }

    @Test
    void whatHasNoRoomIsNotCheckedAndOtherAddressesAre() throws Exception {
        // Nobody leaves, so that all places are taken and the rest waits.
        List<CredentialQueue.Turn> taken = new ArrayList<>();
        for (CredentialQueue.Turn turn = queue.join("192.0.2.1"); turn != null; turn = queue.join("192.0.2.1")) {
            taken.add(turn);
        }
        assertThatThrownBy(() -> verifier().verify(token("same"), "192.0.2.1", NOW))
                .isInstanceOf(JwtVerifier.NoTurn.class);

        CompletableFuture<JwtVerifier.Claims> other = CompletableFuture.supplyAsync(() -> {
            try {
                return verifier().verify(token("other"), "192.0.2.2", NOW);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        // The last of the address gives way to the other one, which comes after the first that waits.
        assertThat(taken.getLast().await()).isFalse();
        taken.get(0).leave(false);
        taken.get(1).leave(false);
        assertThat(other.get(10, TimeUnit.SECONDS).subject()).isEqualTo("other");
    }
}
