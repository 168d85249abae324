package io.sigma.dataplane.filter.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.sun.net.httpserver.HttpServer;
import io.sigma.dataplane.filter.GuardedHost;
import io.sigma.value.AddressGuard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Keys of an issuer that changes them, breaks, lies and goes away. */
final class JwtKeysTest {

    private static final AddressGuard GUARD = new AddressGuard(List.of(), List.of(), port -> false);
    private static final int REFRESH_SECONDS = 300;

    private static ECKey first;
    private static ECKey second;

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    private HttpServer issuer;
    private JwtKeys keys;
    private volatile String document;

    @BeforeAll
    static void generate() throws JOSEException {
        first = new ECKeyGenerator(Curve.P_256).keyID("first").generate();
        second = new ECKeyGenerator(Curve.P_256).keyID("second").generate();
    }

    @BeforeEach
    void start() throws Exception {
        publish(first);
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext("/keys", exchange -> {
            asked.incrementAndGet();
            byte[] body = document.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        issuer.start();
        keys = new JwtKeys(List.of(), null, new JwtKeys.Source(url("/keys"), REFRESH_SECONDS, GUARD), now::get);
        log.start();
        ((Logger) LoggerFactory.getLogger(JwtKeys.class)).addAppender(log);
    }

    @AfterEach
    void stop() {
        ((Logger) LoggerFactory.getLogger(JwtKeys.class)).detachAppender(log);
        keys.close();
        issuer.stop(0);
    }

    private URI url(String path) {
        return URI.create("http://127.0.0.1:" + issuer.getAddress().getPort() + path);
    }

    private void publish(JWK... published) {
        document = new JWKSet(List.of(published)).toString();
    }

    private void pass(long seconds) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(seconds) + 1);
    }

    private List<String> of(String id) throws Exception {
        return of(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(id).build());
    }

    private List<String> of(JWSHeader header) throws Exception {
        await(keys.renewal());
        if (keys.select(header).isEmpty()) {
            await(keys.addition());
        }
        List<JWK> found = keys.select(header);
        String missing = keys.missing();
        if (found.isEmpty() && missing != null) {
            throw new IOException(missing);
        }
        return found.stream().map(JWK::getKeyID).toList();
    }

    private static void await(@Nullable CompletableFuture<Void> fetch) throws Exception {
        if (fetch != null) {
            fetch.get(JwtKeys.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void anUnknownKeyIsAskedForAtOnceButNotAgainAndAgain() throws Exception {
        assertThat(of("first")).containsExactly("first");
        publish(second);
        assertThat(of("second")).containsExactly("second");
        assertThat(of("first")).isEmpty();
        assertThat(asked).hasValue(2);
        for (int i = 0; i < 100; i++) {
            assertThat(of("made-up-" + i)).isEmpty();
        }
        assertThat(asked).hasValue(2);
        pass(10);
        assertThat(of("made-up")).isEmpty();
        assertThat(asked).hasValue(3);
    }

    @Test
    void keysAreFetchedAgainWhenTheyAreTooOld() throws Exception {
        publish(first, second);
        assertThat(of("second")).containsExactly("second");
        publish(first);
        pass(REFRESH_SECONDS - 1);
        assertThat(of("second")).containsExactly("second");
        pass(1);
        assertThat(of("second")).isEmpty();
    }

    @Test
    void lastKeysStayWhenTheIssuerIsGone() throws Exception {
        assertThat(of("first")).containsExactly("first");
        issuer.stop(0);
        for (int i = 0; i < 3; i++) {
            pass(REFRESH_SECONDS);
            assertThat(of("first")).containsExactly("first");
        }
        assertThat(log.list).isNotEmpty();
        assertThat(log.list.getFirst().getFormattedMessage()).contains("so that the last good ones stay");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "<html>", "[]", "{}", "{\"keys\":[]}", "{\"keys\":7}", "{\"keys\":[{\"kty\":\"RSA\"}]}"})
    void whatIsNoKeySetIsLoggedAndLeavesTheKeys(String bad) throws Exception {
        assertThat(of("first")).containsExactly("first");
        document = bad;
        pass(REFRESH_SECONDS);
        assertThat(of("first")).containsExactly("first");
        assertThat(asked).hasValue(2);
        assertThat(log.list).hasSize(1);
        assertThat(log.list.getFirst().getFormattedMessage()).startsWith("The keys at " + url("/keys"));
        publish(second);
        pass(10);
        assertThat(of("second")).containsExactly("second");
    }

    @Test
    void documentThatIsTooLongLeavesTheKeys() throws Exception {
        assertThat(of("first")).containsExactly("first");
        String longer = document + " ".repeat(256 * 1024);
        document = longer;
        pass(REFRESH_SECONDS);
        assertThat(of("first")).containsExactly("first");
        assertThat(log.list).hasSize(1);
    }

    @Test
    void secretsThatAreThereAreNotTaken() throws Exception {
        publish(first, new OctetSequenceKeyGenerator(256).keyID("secret").generate());
        JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("secret").build();
        assertThat(of(header)).isEmpty();
    }

    @Test
    void issuerThatNeverEndsItsAnswerIsGivenUp() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        issuer.createContext("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("{\"keys\":".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            try {
                done.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        try (KeyFetch fetch = new KeyFetch(new GuardedHost(url("/endless"), GUARD), Duration.ofMillis(300))) {
            assertThatThrownBy(fetch::keys).isInstanceOf(IOException.class).hasMessage("not within 300 ms");
        } finally {
            done.countDown();
        }
    }

    @Test
    void redirectsAreNotFollowed() throws Exception {
        issuer.createContext("/elsewhere", exchange -> {
            exchange.getResponseHeaders().set("Location", url("/keys").toString());
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        try (KeyFetch fetch = new KeyFetch(new GuardedHost(url("/elsewhere"), GUARD), Duration.ofSeconds(5))) {
            assertThatThrownBy(fetch::keys).hasMessage("status 302 (expected: 200)");
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void nameThatLeadsToAMetadataServiceIsNotAsked() throws Exception {
        GuardedHost.Names names = host -> new InetAddress[] {
            InetAddress.getLoopbackAddress(), InetAddress.ofLiteral("169.254.169.254"),
        };
        URI named = URI.create("http://localhost:" + issuer.getAddress().getPort() + "/keys");
        try (KeyFetch fetch = new KeyFetch(new GuardedHost(named, GUARD, names), Duration.ofSeconds(5))) {
            assertThatThrownBy(fetch::keys).hasMessageContaining("localhost is 169.254.169.254, port ");
        }
        assertThat(asked).hasValue(0);
        AddressGuard allowing = new AddressGuard(List.of("169.254.169.254/32"), List.of(), port -> false);
        try (KeyFetch fetch = new KeyFetch(new GuardedHost(named, allowing, names), Duration.ofSeconds(5))) {
            assertThat(fetch.keys().getKeys()).hasSize(1);
        }
    }
}
