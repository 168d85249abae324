package io.sigma.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.model.JwtAlgorithm;
import io.sigma.model.JwtPlugin;
import io.sigma.value.FetchUrl;
import io.sigma.value.Mismatch;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** The plugin {@code jwt}. */
final class JwtCheck {

    private static final int KEYS_MAX = 64;
    private static final Set<String> PUBLIC_TYPES = Set.of("EC", "RSA");

    /** The members that only private keys have (RFC 7518 §6). */
    private static final Set<String> PRIVATE = Set.of("d", "p", "q", "dp", "dq", "qi", "k", "oth");

    private JwtCheck() {}

    static void check(Findings findings, JwtPlugin jwt) {
        boolean publicKeys = jwt.jwksUrl() != null || jwt.jwks() != null;
        boolean secrets = jwt.secret() != null || jwt.secretPath() != null;
        boolean some = publicKeys || secrets;
        findings.require(some, Mismatch.absent("jwksUrl, jwks, secret or secretPath"), "jwksUrl");
        String text = jwt.secret();
        if (text != null) {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            Mismatch problem = HmacSecret.problem(jwt.algorithms(), bytes);
            if (problem != null) {
                findings.add(Faults.of("/secret", problem));
            }
        }
        String url = jwt.jwksUrl();
        if (url != null) {
            findings.parse(() -> FetchUrl.parse(url), "jwksUrl");
        }
        findings.range(jwt.leewaySeconds(), 0, 300, "leewaySeconds");
        findings.range(jwt.jwksRefreshSeconds(), 10, 86_400, "jwksRefreshSeconds");
        for (int i = 0; i < jwt.algorithms().size() && some; i++) {
            JwtAlgorithm algorithm = jwt.algorithms().get(i);
            boolean secret = algorithm.name().startsWith("HS");
            findings.require(
                    secret ? secrets : publicKeys,
                    Mismatch.of(algorithm, secret ? "only with secret or secretPath" : "only with jwksUrl or jwks"),
                    "algorithms",
                    i);
        }
        JsonNode jwks = jwt.jwks();
        if (jwks != null) {
            keys(findings.at("jwks", "keys"), jwks.path("keys"));
        }
    }

    private static void keys(Findings findings, JsonNode keys) {
        boolean list = keys.isArray() && !keys.isEmpty() && keys.size() <= KEYS_MAX;
        findings.require(list, Mismatch.absent("a list of 1.." + KEYS_MAX + " keys"));
        for (int i = 0; list && i < keys.size(); i++) {
            JsonNode key = keys.get(i);
            boolean known = PUBLIC_TYPES.contains(key.path("kty").asText());
            findings.require(
                    known,
                    Mismatch.of(
                            "[redacted]",
                            "a public key with kty "
                                    + PUBLIC_TYPES.stream().sorted().toList()),
                    i,
                    "kty");
            int index = i;
            if (known) {
                JwkCheck.check(findings.at(i), key);
            }
            PRIVATE.stream()
                    .filter(key::has)
                    .sorted()
                    .findFirst()
                    .ifPresent(name -> findings.require(
                            false, Mismatch.of("[redacted]", "a key without private parts"), index, name));
        }
    }
}
