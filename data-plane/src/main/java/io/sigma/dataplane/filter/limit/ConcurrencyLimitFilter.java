package io.sigma.dataplane.filter.limit;

import io.sigma.dataplane.exchange.AttributeKey;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.ConcurrencyLimitPlugin;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests while too many run. There is a counter only for keys of which a request runs, so there are never
 * more than requests.
 */
public final class ConcurrencyLimitFilter implements Filter {

    private static final AttributeKey<Slot> SLOT = AttributeKey.of(Slot.class, "concurrencyLimit");

    /** A counter at this value is not in the map any more. */
    private static final int RETIRED = -1;

    private record Slot(Object key, AtomicInteger running) {}

    private final LimitKeys keys;
    private final int runningMax;
    private final ConcurrentHashMap<Object, AtomicInteger> counters = new ConcurrentHashMap<>();

    public ConcurrencyLimitFilter(ConcurrencyLimitPlugin plugin) {
        this.keys = new LimitKeys(plugin.key(), plugin.header());
        this.runningMax = plugin.requests();
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        Slot slot = acquire(keys.of(exchange));
        if (slot == null) {
            replies.fail(keys.together() ? ErrorKind.TOO_BUSY : ErrorKind.TOO_MANY_AT_ONCE, Map.of("retry-after", "1"));
            return Verdict.TAKEN;
        }
        exchange.put(SLOT, slot);
        return Verdict.CONTINUE;
    }

    private @Nullable Slot acquire(Object key) {
        while (true) {
            AtomicInteger known = counters.get(key);
            AtomicInteger counter =
                    known != null ? known : counters.computeIfAbsent(key, absent -> new AtomicInteger());
            int running = counter.get();
            if (running >= runningMax) {
                return null;
            }
            if (running == RETIRED) {
                counters.remove(key, counter);
            } else if (counter.compareAndSet(running, running + 1)) {
                return new Slot(key, counter);
            }
        }
    }

    @Override
    public void onEnd(Exchange exchange) {
        Slot slot = exchange.get(SLOT);
        if (slot != null
                && slot.running().decrementAndGet() == 0
                && slot.running().compareAndSet(0, RETIRED)) {
            counters.remove(slot.key(), slot.running());
        }
    }
}
