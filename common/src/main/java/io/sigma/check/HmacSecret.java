package io.sigma.check;

import io.sigma.model.JwtAlgorithm;
import io.sigma.value.Mismatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that a secret of HMAC signatures is not shorter than the hash (RFC 7518 §3.2). Pure. */
public final class HmacSecret {

    private static final int BYTES_MAX = 4096;

    private HmacSecret() {}

    /**
     * Returns what is wrong with the length of a secret, never with the secret itself; null when nothing is.
     *
     * @param algorithms that are accepted; none means HS256
     */
    public static @Nullable Mismatch problem(List<JwtAlgorithm> algorithms, long bytes) {
        int min = 32;
        for (JwtAlgorithm algorithm : algorithms) {
            min = Math.max(
                    min,
                    switch (algorithm) {
                        case HS384 -> 48;
                        case HS512 -> 64;
                        default -> 32;
                    });
        }
        return bytes < min || bytes > BYTES_MAX
                ? Mismatch.of("a secret of " + bytes + " bytes", min + ".." + BYTES_MAX)
                : null;
    }
}
