package io.sigma.dataplane.engine.relay;

import io.sigma.model.ServerLimits;

/** Least rates of bodies. Pure. */
public final class Rates {

    private Rates() {}

    /**
     * Watches the body of {@code stream} as {@code limits} say.
     *
     * @param onSlow called once when it comes too slowly
     */
    public static void watch(ClientStream stream, ServerLimits limits, Runnable onSlow) {
        if (limits.bodyBytesPerSecondMin() == 0) {
            return;
        }
        long bytesMin = (long) limits.bodyBytesPerSecondMin() * limits.bodyRatePeriodMillis() / 1000;
        BodyRate rate = new BodyRate(
                stream.loop().exchangeDeadlines(), limits.bodyRatePeriodMillis(), Math.max(1, bytesMin), onSlow);
        boolean awaits = stream.exchange().request().fields().contains("expect");
        stream.body().watch(rate, !awaits);
    }
}
