package io.sigma.dataplane.filter.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.sigma.dataplane.filter.CredentialQueue;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.model.JwtPlugin;
import io.sigma.value.AddressGuard;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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

    /** Each token that waits may be 16 KiB, and a client may send as many as it has streams. */
    @Test
    void tokensThatWaitForASlowIssuerHaveABoundAndKeepNoOtherAddressOut() throws Exception {
        int waitingMax = 10;
        CountDownLatch answer = new CountDownLatch(1);
        HttpServer issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext("/", exchange -> {
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        issuer.start();
        URI url = URI.create("http://127.0.0.1:" + issuer.getAddress().getPort() + "/keys");
        AddressGuard guard = new AddressGuard(List.of(), List.of(), port -> false);
        try (JwtKeys keys = new JwtKeys(List.of(), null, new JwtKeys.Source(url, 300, guard), System::nanoTime)) {
            JwtVerifier verifier = new JwtVerifier(
                    JwtPlugin.builder().build(), Set.of("HS256"), keys, new CredentialQueue(waitingMax));
            AtomicInteger busy = new AtomicInteger();
            AtomicInteger keyless = new AtomicInteger();
            Consumer<String> client = address -> {
                try {
                    verifier.verify(token("x"), address, NOW);
                } catch (JwtVerifier.NoTurn e) {
                    busy.incrementAndGet();
                } catch (Exception e) {
                    keyless.incrementAndGet();
                }
            };
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 5 * waitingMax; i++) {
                threads.add(Thread.startVirtualThread(() -> client.accept("192.0.2.1")));
            }
            GatewayHarness.eventually(() -> busy.get() == 4 * waitingMax);

            // The last of the address gives way.
            threads.add(Thread.startVirtualThread(() -> client.accept("192.0.2.2")));
            GatewayHarness.eventually(() -> busy.get() == 4 * waitingMax + 1);
            answer.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(keyless).hasValue(waitingMax);
            assertThat(busy).hasValue(4 * waitingMax + 1);
        } finally {
            issuer.stop(0);
        }
    }

    /** An issuer may publish thousands of keys, and a client may name none of them. */
    @Test
    void aTokenThatNamesNoKeyIsTriedWithAFewOnly() throws Exception {
        List<JWK> many = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            many.add(new OctetSequenceKeyGenerator(256).generate());
        }
        JWK right = new OctetSequenceKey.Builder(SECRET).build();
        many.add(right);
        JwtKeys beyond = new JwtKeys(many, null, null, System::nanoTime);
        JwtKeys within = new JwtKeys(many.subList(1, many.size()), null, null, System::nanoTime);

        assertThat(new JwtVerifier(JwtPlugin.builder().build(), Set.of("HS256"), beyond, queue)
                        .verify(token("x"), "192.0.2.1", NOW))
                .isNull();
        assertThat(new JwtVerifier(JwtPlugin.builder().build(), Set.of("HS256"), within, queue)
                        .verify(token("x"), "192.0.2.1", NOW))
                .isNotNull();
    }
}
