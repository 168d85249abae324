package io.sigma.standalone;

import io.sigma.settings.Setting;
import org.jspecify.annotations.Nullable;

/**
 * Settings that standalone mode defaults otherwise than its processes do; null where nobody chose one.
 *
 * @param accessLog where access records go
 */
public record ChosenSettings(
        @Setting("Target of access records.") @Nullable String accessLog) {}
