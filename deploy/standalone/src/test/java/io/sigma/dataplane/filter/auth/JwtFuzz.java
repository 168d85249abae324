package io.sigma.dataplane.filter.auth;

import com.nimbusds.jose.jwk.OctetSequenceKey;
import io.sigma.dataplane.filter.CredentialQueue;
import io.sigma.model.JwtPlugin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tokens: as they are ({@code t}), or a head and a payload that the right secret signs ({@code s}, a line each). One
 * whose signature is not right is never taken, and a text in a right one costs no exception.
 */
public final class JwtFuzz {

    private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int SUBJECT_LENGTH_MAX = 256;
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final JwtVerifier VERIFIER = new JwtVerifier(
            JwtPlugin.builder().build(),
            Set.of("HS256"),
            new JwtKeys(List.of(new OctetSequenceKey.Builder(SECRET).build()), null, null, System::nanoTime),
            new CredentialQueue(1_000));

    private JwtFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 2) {
            return;
        }
        byte[] rest = Arrays.copyOfRange(data, 1, data.length);
        switch (data[0]) {
            case 't' -> verify(new String(rest, StandardCharsets.ISO_8859_1));
            case 's' -> {
                int end = new String(rest, StandardCharsets.ISO_8859_1).indexOf('\n');
                if (end > 0) {
                    String signed = BASE64.encodeToString(Arrays.copyOf(rest, end)) + "."
                            + BASE64.encodeToString(Arrays.copyOfRange(rest, end + 1, rest.length));
                    verify(signed + "." + BASE64.encodeToString(signature(signed)));
                }
            }
            default -> {}
        }
    }

    private static void verify(String token) {
        JwtVerifier.Claims claims;
        try {
            claims = VERIFIER.verify(token, "192.0.2.1", NOW);
        } catch (IOException | JwtVerifier.NoTurn e) {
            throw new AssertionError(e);
        }
        if (claims != null) {
            int dot = token.lastIndexOf('.');
            byte[] given =
                    Base64.getUrlDecoder().decode(token.substring(dot + 1).strip());
            if (!Arrays.equals(given, signature(token.substring(0, dot).strip()))) {
                throw new AssertionError("a signature that is not right");
            }
            Instant expiry = claims.expiry();
            String subject = claims.subject();
            if ((expiry != null && !NOW.isBefore(expiry))
                    || (subject != null && subject.length() > SUBJECT_LENGTH_MAX)) {
                throw new AssertionError("claims that are not right: " + claims);
            }
        }
    }

    private static byte[] signature(String signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
            return mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
