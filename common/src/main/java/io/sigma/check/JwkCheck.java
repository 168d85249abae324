package io.sigma.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.value.Mismatch;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that a gateway can verify signatures with a public key of a key set (RFC 7517, RFC 7518 §6). */
final class JwkCheck {

    private static final int RSA_BITS_MIN = 2048;
    private static final int RSA_BITS_MAX = 16_384;
    private static final Map<String, String> CURVES =
            Map.of("P-256", "secp256r1", "P-384", "secp384r1", "P-521", "secp521r1");
    private static final Set<String> USES = Set.of("sig", "enc");

    private JwkCheck() {}

    static void check(Findings findings, JsonNode key) {
        for (String name : List.of("kid", "alg", "use")) {
            boolean text = !key.has(name) || key.get(name).isTextual();
            findings.require(text, Mismatch.of("no text", "a text"), name);
        }
        boolean use =
                !key.path("use").isTextual() || USES.contains(key.get("use").textValue());
        findings.require(use, Mismatch.of(key.path("use"), "sig"), "use");
        if (key.path("kty").asText().equals("RSA")) {
            rsa(findings, key);
        } else {
            curve(findings, key);
        }
    }

    private static void rsa(Findings findings, JsonNode key) {
        int bits = number(key, "n").bitLength();
        findings.require(
                bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX,
                Mismatch.of(
                        bits + " bits", "a modulus of " + RSA_BITS_MIN + ".." + RSA_BITS_MAX + " bits in Base64url"),
                "n");
        boolean odd = number(key, "e").testBit(0) && number(key, "e").compareTo(BigInteger.ONE) > 0;
        findings.require(odd, Mismatch.absent("an exponent in Base64url, an odd number"), "e");
    }

    private static void curve(Findings findings, JsonNode key) {
        String name = CURVES.get(key.path("crv").asText());
        findings.require(
                name != null,
                Mismatch.of(
                        key.path("crv"),
                        "one of " + CURVES.keySet().stream().sorted().toList()),
                "crv");
        boolean point = name == null || isOn(name, number(key, "x"), number(key, "y"));
        findings.require(point, Mismatch.of("not a point of the curve", "its coordinates x and y in Base64url"), "x");
    }

    private static boolean isOn(String curve, BigInteger x, BigInteger y) {
        try {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
            parameters.init(new ECGenParameterSpec(curve));
            var spec = parameters.getParameterSpec(ECParameterSpec.class).getCurve();
            BigInteger prime = ((ECFieldFp) spec.getField()).getP();
            BigInteger right = x.multiply(x).add(spec.getA()).multiply(x).add(spec.getB());
            return x.compareTo(prime) < 0
                    && y.compareTo(prime) < 0
                    && y.multiply(y).subtract(right).mod(prime).signum() == 0;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + curve, e);
        }
    }

    /** Returns a positive number in Base64url; 0 when it is none. */
    private static BigInteger number(JsonNode key, String name) {
        try {
            return new BigInteger(
                    1, Base64.getUrlDecoder().decode(key.path(name).asText()));
        } catch (IllegalArgumentException e) {
            return BigInteger.ZERO;
        }
    }
}
