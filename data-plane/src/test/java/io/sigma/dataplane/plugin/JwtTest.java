package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.json.Json;
import io.sigma.model.Consumer;
import io.sigma.model.JwtAlgorithm;
import io.sigma.model.JwtPlugin;
import io.sigma.model.Plugins;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class JwtTest extends PluginContract {

    private static final String SECRET = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    private static RSAKey rsa;
    private static ECKey ec;

    @BeforeAll
    static void generateKeys() throws JOSEException {
        rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
        ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .subject("app")
                .issuer("https://login.example.com/")
                .audience("shop")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)));
    }

    private static String sign(JWSAlgorithm algorithm, String keyId, JWSSigner signer, JWTClaimsSet claims)
            throws JOSEException {
        SignedJWT jwt =
                new SignedJWT(new JWSHeader.Builder(algorithm).keyID(keyId).build(), claims);
        jwt.sign(signer);
        return jwt.serialize();
    }

    private static String rs256(JWTClaimsSet.Builder claims) throws JOSEException {
        return sign(JWSAlgorithm.RS256, "rsa", new RSASSASigner(rsa), claims.build());
    }

    private static JsonNode keySet(JWK... keys) {
        return Json.read(new JWKSet(List.of(keys)).toString(true), JsonNode.class);
    }

    private Config tokens(TestNode node, JwtPlugin.Builder plugin) {
        return withPlugins(node.url(), Plugins.builder().jwt(plugin.build()))
                .consumer(Consumer.builder().id("app").build());
    }

    private static JwtPlugin.Builder inline() {
        return JwtPlugin.builder()
                .issuer("https://login.example.com/")
                .audiences(List.of("shop", "other"))
                .jwks(keySet(rsa.toPublicJWK(), ec.toPublicJWK()));
    }

    private int status(String token) throws Exception {
        return send("GET", "/", "Authorization: Bearer " + token + "\r\n").status();
    }

    @Test
    void signedTokensComeThroughAndNodesLearnTheConsumer() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(tokens(node, inline()));
            assertThat(status(rs256(claims()))).isEqualTo(200);
            assertThat(status(sign(JWSAlgorithm.ES256, "ec", new ECDSASigner(ec), claims().build())))
                    .isEqualTo(200);
            assertThat(status(rs256(claims().subject("nobody")))).isEqualTo(200);
            assertThat(node.received())
                    .extracting(request -> request.field("x-consumer-id"))
                    .containsExactly("app", "app", null);
            RawClient.Answer nothing = get("/");
            assertThat(nothing.status()).isEqualTo(401);
            assertThat(nothing.field("www-authenticate")).isEqualTo("Bearer");
        }
    }

    @Test
    void tokensThatAreNotRightAreRefused() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(tokens(node, inline().requireConsumer(true)));
            Date past = Date.from(Instant.now().minusSeconds(60));
            Date future = Date.from(Instant.now().plusSeconds(60));
            String good = rs256(claims());
            String forged = good.substring(0, good.lastIndexOf('.') + 1)
                    + rs256(claims().subject("x")).substring(good.lastIndexOf('.') + 1);
            for (String token : List.of(
                    rs256(claims().expirationTime(past)),
                    rs256(claims().expirationTime(null)),
                    rs256(claims().notBeforeTime(future)),
                    rs256(claims().issuer("https://evil.example/")),
                    rs256(claims().audience("elsewhere")),
                    rs256(claims().subject("nobody")),
                    sign(JWSAlgorithm.PS256, "rsa", new RSASSASigner(rsa), claims().build()),
                    sign(
                            JWSAlgorithm.RS256,
                            "rsa",
                            new RSASSASigner(new RSAKeyGenerator(2048).generate()),
                            claims().build()),
                    sign(
                            JWSAlgorithm.HS256,
                            "rsa",
                            new MACSigner(rsa.toRSAPublicKey().getEncoded()),
                            claims().build()),
                    new PlainJWT(claims().build()).serialize(),
                    forged,
                    "a.b.c",
                    "x")) {
                RawClient.Answer answer = send("GET", "/", "Authorization: Bearer " + token + "\r\n");
                assertThat(answer.status()).as(token).isEqualTo(401);
                assertThat(answer.field("www-authenticate")).isEqualTo("Bearer error=\"invalid_token\"");
            }
            assertThat(status(good)).isEqualTo(200);
            assertThat(status(rs256(
                            claims().expirationTime(Date.from(Instant.now().minusSeconds(10))))))
                    .isEqualTo(200);
            assertThat(node.received()).hasSize(2);
        }
    }

    @Test
    void secretOnTheDiskOfTheGatewaySignsToo() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Path secret = Files.writeString(folder.resolve("secret"), SECRET);
            gateway()
                    .apply(tokens(
                            node,
                            JwtPlugin.builder()
                                    .algorithms(List.of(JwtAlgorithm.HS256, JwtAlgorithm.HS512))
                                    .hideCredentials(true)
                                    .secretPath(secret.toString())));
            assertThat(status(sign(JWSAlgorithm.HS512, "any", new MACSigner(SECRET), claims().build())))
                    .isEqualTo(200);
            assertThat(status(sign(JWSAlgorithm.HS256, "any", new MACSigner("x" + SECRET), claims().build())))
                    .isEqualTo(401);
            assertThat(node.received().getFirst().field("authorization")).isNull();
        }
    }

    @Test
    void secretOfTheConfigurationSignsAndIsNotPrinted() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            JwtPlugin.Builder plugin = JwtPlugin.builder().secret(SECRET);
            assertThat(plugin.build().toString()).doesNotContain(SECRET).contains("[redacted]");
            gateway().apply(tokens(node, plugin));
            assertThat(status(sign(JWSAlgorithm.HS256, "any", new MACSigner(SECRET), claims().build())))
                    .isEqualTo(200);
            assertThat(status(sign(JWSAlgorithm.HS256, "any", new MACSigner("x" + SECRET), claims().build())))
                    .isEqualTo(401);
            assertThat(status(sign(JWSAlgorithm.HS512, "any", new MACSigner(SECRET), claims().build())))
                    .isEqualTo(401);
        }
    }

    @Test
    void secretThatIsTooShortForItsAlgorithmIsRefused() throws Exception {
        Path secret = Files.writeString(folder.resolve("short"), SECRET.substring(0, 40));
        assertThat(gateway()
                        .refused(withPlugins(
                                "http://127.0.0.1:1",
                                Plugins.builder()
                                        .jwt(JwtPlugin.builder()
                                                .algorithms(List.of(JwtAlgorithm.HS256, JwtAlgorithm.HS384))
                                                .secretPath(secret.toString())
                                                .build())))
                        .detail())
                .contains("secretPath: a secret of 40 bytes (expected: 48..4096)");
    }

    @Test
    void secretThatIsNotThereIsRefusedWithItsPointer() {
        assertThat(gateway()
                        .refused(withPlugins(
                                "http://127.0.0.1:1",
                                Plugins.builder()
                                        .jwt(JwtPlugin.builder()
                                                .secretPath(folder.resolve("nothing")
                                                        .toString())
                                                .build())))
                        .pointer())
                .isEqualTo("/routes/any/plugins/jwt");
    }

    @Test
    void keysAreFetchedFromTheIssuerOnceAndKept() throws Exception {
        AtomicReference<String> keys = new AtomicReference<>(new JWKSet(rsa.toPublicJWK()).toString());
        try (TestNode node = TestNode.named("ok");
                TestNode issuer = TestNode.start((request, connection) -> connection.ok(keys.get()))) {
            gateway().apply(tokens(node, JwtPlugin.builder().jwksUrl(issuer.url() + "/jwks.json")));
            assertThat(status(rs256(claims()))).isEqualTo(200);
            assertThat(status(rs256(claims().jwtID("another")))).isEqualTo(200);
            assertThat(issuer.received()).hasSize(1);
            assertThat(issuer.received().getFirst().target()).isEqualTo("/jwks.json");
        }
    }

    @Test
    void keysMayChangeWhileRequestsComeAndTheIssuerMayGo() throws Exception {
        RSAKey next = new RSAKeyGenerator(2048).keyID("next").generate();
        AtomicReference<String> keys = new AtomicReference<>(new JWKSet(rsa.toPublicJWK()).toString());
        try (TestNode node = TestNode.named("ok")) {
            TestNode issuer = TestNode.start((request, connection) -> connection.ok(keys.get()));
            gateway().apply(tokens(node, JwtPlugin.builder().jwksUrl(issuer.url() + "/jwks.json")));
            assertThat(status(rs256(claims()))).isEqualTo(200);
            keys.set(new JWKSet(next.toPublicJWK()).toString());
            assertThat(status(sign(JWSAlgorithm.RS256, "next", new RSASSASigner(next), claims().build())))
                    .isEqualTo(200);
            assertThat(status(rs256(claims().jwtID("signed with the old key")))).isEqualTo(401);
            issuer.close();
            assertThat(status(sign(
                            JWSAlgorithm.RS256,
                            "next",
                            new RSASSASigner(next),
                            claims().jwtID("another").build())))
                    .isEqualTo(200);
        }
    }

    @Test
    void whoeverItIsCannotBeFoundOutWithoutTheIssuer() throws Exception {
        try (TestNode node = TestNode.named("ok");
                TestNode issuer = TestNode.start((request, connection) ->
                        connection.send("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(tokens(node, JwtPlugin.builder().jwksUrl(issuer.url() + "/jwks.json")));
            RawClient.Answer answer = send("GET", "/", "Authorization: Bearer " + rs256(claims()) + "\r\n");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.field("retry-after")).isEqualTo("10");
            assertThat(node.received()).isEmpty();
        }
    }
}
