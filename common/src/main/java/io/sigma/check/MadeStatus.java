package io.sigma.check;

import io.sigma.value.Mismatch;
import org.jspecify.annotations.Nullable;

/** Statuses that the configuration lets the gateway answer with. */
final class MadeStatus {

    /** It has to name a protocol in Upgrade (RFC 9110 §15.5.22), which only the gateway writes. */
    private static final int UPGRADE_REQUIRED = 426;

    private MadeStatus() {}

    static void check(Findings findings, @Nullable Integer status, Object... pointer) {
        boolean possible = status == null || status != UPGRADE_REQUIRED;
        findings.require(
                possible, Mismatch.of("426", "another status, because 426 has to name a protocol in Upgrade"), pointer);
    }
}
