package io.sigma.controlplane.secret;

import io.sigma.controlplane.settings.ControlPlaneSettings;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings that keys are derived from. What is encrypted is encrypted with the present one; the previous one opens
 * what is not encrypted with the present one yet. Immutable.
 *
 * @param present {@code secretKey}
 * @param previous {@code secretKeyPrevious}; null when there is none
 */
public record KeyRing(String present, @Nullable String previous) {

    /** Returns the keys of settings whose secrets are complete. */
    public static KeyRing of(ControlPlaneSettings settings) {
        return new KeyRing(Objects.requireNonNull(settings.secretKey(), "secretKey"), settings.secretKeyPrevious());
    }

    @Override
    public String toString() {
        return "KeyRing[redacted]";
    }
}
