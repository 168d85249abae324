package io.sigma.dataplane.filter.limit;

import io.sigma.dataplane.exchange.AttributeKey;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.RateLimitPlugin;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Refuses requests that come too often. */
public final class RateLimitFilter implements Filter {

    private static final AttributeKey<TokenBuckets.Decision> DECISION =
            AttributeKey.of(TokenBuckets.Decision.class, "rateLimit");

    private final LimitKeys keys;
    private final TokenBuckets buckets;
    private final boolean tells;
    private final String limit;

    public RateLimitFilter(RateLimitPlugin plugin, FilterServices services) {
        int burst = plugin.burst() == null ? plugin.requests() : plugin.burst();
        long tokenNanos = TimeUnit.SECONDS.toNanos(plugin.periodSeconds()) / plugin.requests();
        this.keys = new LimitKeys(plugin.key(), plugin.header());
        this.buckets = new TokenBuckets(services.nanoTime(), tokenNanos, burst, plugin.keysMax());
        this.tells = plugin.fields();
        this.limit = String.valueOf(burst);
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        TokenBuckets.Decision decision = buckets.take(keys.of(exchange));
        if (tells) {
            exchange.put(DECISION, decision);
        }
        if (decision.granted()) {
            return Verdict.CONTINUE;
        }
        replies.fail(ErrorKind.RATE_LIMITED, Map.of("retry-after", seconds(decision.waitNanos())));
        return Verdict.TAKEN;
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        TokenBuckets.Decision decision = exchange.get(DECISION);
        if (decision != null) {
            Fields fields = head.fields();
            fields.set("ratelimit-limit", limit);
            fields.set("ratelimit-remaining", String.valueOf(decision.remaining()));
            fields.set("ratelimit-reset", seconds(decision.fullNanos()));
        }
    }

    @Override
    public Map<String, Long> counts(int most) {
        Map<String, Long> counts = new HashMap<>();
        buckets.forEach((key, fullNanos) -> {
            if (fullNanos > 0 && counts.size() < most) {
                counts.put(LimitKeys.text(key), fullNanos);
            }
        });
        return counts;
    }

    @Override
    public void count(Map<String, Long> counted) {
        counted.forEach((text, fullNanos) -> {
            Object key = LimitKeys.parse(text);
            if (key != null) {
                buckets.empty(key, fullNanos);
            }
        });
    }

    /** Returns whole seconds, rounded up, because who comes too early is refused again. */
    private static String seconds(long nanos) {
        long second = TimeUnit.SECONDS.toNanos(1);
        return String.valueOf((nanos + second - 1) / second);
    }
}
