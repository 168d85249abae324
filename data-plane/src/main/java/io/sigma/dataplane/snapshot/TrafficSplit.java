package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.rule.Cookies;
import io.sigma.dataplane.upstream.balance.Fnv1a;
import io.sigma.model.Sticky;
import io.sigma.model.StickySource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The upstreams of a proxy pass, each with its share of the requests. Immutable; used on any event loop. */
public final class TrafficSplit {

    private final List<PassTarget> targets;
    private final Choice only;
    /** Where the share of each target ends, in 0..1. */
    private final double[] ends;

    private final @Nullable Sticky sticky;

    /**
     * @param weights of {@code targets}, not all of them 0
     */
    TrafficSplit(List<PassTarget> targets, int[] weights, @Nullable Sticky sticky) {
        this.targets = List.copyOf(targets);
        this.only = new Choice(targets.getFirst(), null);
        this.sticky = sticky;
        this.ends = new double[weights.length];
        long total = 0;
        for (int weight : weights) {
            total += weight;
        }
        long sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i];
            ends[i] = (double) sum / total;
        }
    }

    /** Returns the split that sends everything to one target. */
    static TrafficSplit of(PassTarget only) {
        return new TrafficSplit(List.of(only), new int[] {1}, null);
    }

    List<PassTarget> targets() {
        return targets;
    }

    /** The choice for a request, with the cookie that makes it last; the cookie is null if none is needed. */
    public record Choice(PassTarget target, @Nullable String setCookie) {}

    /** A target with its share of requests like one, in 0..1. */
    public record Share(PassTarget target, double share) {}

    /** Returns where requests like that of {@code exchange} go. */
    public List<Share> shares(Exchange exchange) {
        String value = sticky == null || targets.size() == 1 ? null : value(sticky, exchange);
        if (value != null && !value.isEmpty()) {
            return List.of(new Share(at(fraction(value)), 1));
        }
        return shares();
    }

    /** Returns where requests or connections go of which nothing is known that decides. */
    public List<Share> shares() {
        List<Share> shares = new ArrayList<>();
        for (int i = 0; i < ends.length; i++) {
            double share = ends[i] - (i == 0 ? 0 : ends[i - 1]);
            if (share > 0) {
                shares.add(new Share(targets.get(i), share));
            }
        }
        return shares;
    }

    private static @Nullable String value(Sticky kept, Exchange exchange) {
        return kept.source() == StickySource.COOKIE
                ? Cookies.first(exchange.request().fields().all("cookie"), kept.name())
                : exchange.request().fields().get(kept.name());
    }

    /** Returns where {@code exchange} goes. */
    public Choice choose(Exchange exchange) {
        Sticky kept = sticky;
        if (targets.size() == 1) {
            return only;
        }
        if (kept == null) {
            return new Choice(at(ThreadLocalRandom.current().nextDouble()), null);
        }
        boolean cookie = kept.source() == StickySource.COOKIE;
        String value = value(kept, exchange);
        if (value != null && !value.isEmpty()) {
            return new Choice(at(fraction(value)), null);
        }
        String token = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), 36);
        return new Choice(at(fraction(token)), cookie ? setCookie(kept, token, exchange.tls()) : null);
    }

    /** Returns where a connection goes of which no part is looked at. */
    public PassTarget choose() {
        return targets.size() == 1
                ? only.target()
                : at(ThreadLocalRandom.current().nextDouble());
    }

    private PassTarget at(double point) {
        int i = 0;
        while (i < ends.length - 1 && point >= ends[i]) {
            i++;
        }
        return targets.get(i);
    }

    /**
     * Returns where in 0..1 a value lies. Mixed as by SplitMix64, not as for consistent hashing: an upstream would
     * otherwise get only requests that lie together on its ring.
     */
    private static double fraction(String value) {
        long hash = Fnv1a.hash(value);
        hash = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ hash >>> 27) * 0x94d049bb133111ebL;
        return ((hash ^ hash >>> 31) >>> 11) * 0x1.0p-53;
    }

    private static String setCookie(Sticky sticky, String token, boolean tls) {
        Long maxAge = sticky.maxAgeSeconds();
        return sticky.name() + "=" + token + "; Path=/; HttpOnly; SameSite=Lax"
                + (tls ? "; Secure" : "")
                + (maxAge == null ? "" : "; Max-Age=" + maxAge);
    }
}
