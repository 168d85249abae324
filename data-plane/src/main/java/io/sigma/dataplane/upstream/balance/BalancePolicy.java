package io.sigma.dataplane.upstream.balance;

import io.sigma.model.Balancing;
import io.sigma.model.HealthCheck;
import io.sigma.model.OutlierDetection;
import io.sigma.model.Upstream;
import io.sigma.model.UpstreamLimits;
import org.jspecify.annotations.Nullable;

/**
 * The compiled balancing of an upstream. Immutable.
 *
 * @param hash the source of the hash; counts under {@link Balancing#HASH} only
 * @param slowStartMillis how long a node that comes takes to get its whole share; 0 for at once
 * @param panicPercent below this share of healthy nodes health is disregarded; 0 for never
 * @param source the configuration that it was compiled from
 */
public record BalancePolicy(
        Balancing balancing,
        HashInput hash,
        int slowStartMillis,
        int panicPercent,
        UpstreamLimits limits,
        @Nullable HealthCheck healthCheck,
        @Nullable OutlierDetection outlierDetection,
        Upstream source,
        boolean degrade) {

    /**
     * Returns what {@code source} says.
     *
     * @param degrade whether plain HTTP is spoken to nodes with an https URL
     */
    public static BalancePolicy of(Upstream source, boolean degrade) {
        return new BalancePolicy(
                source.balancing(),
                HashInput.of(source.hash()),
                source.slowStartMillis(),
                source.panicThresholdPercent(),
                source.limits(),
                source.healthCheck(),
                source.outlierDetection(),
                source,
                degrade);
    }
}
