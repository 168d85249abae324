package io.sigma.dataplane.engine.node;

import io.sigma.dataplane.engine.NameAddress;
import io.sigma.dataplane.engine.NameAnswers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names, and knows their last addresses. While the name service fails or does not answer, the last known
 * address of a name stands in (RFC 8767 §5). A name that does not exist any more has none. Thread-safe.
 */
final class LastAddresses {

    /** The names that are remembered; the one that was not asked for longest is forgotten first. */
    static final int NAMES_MAX = 4096;

    /** The time that an answer may take where an address is known (RFC 8767 §5 has 1.8 s), in milliseconds. */
    private static final long PATIENCE_MILLIS = 500;

    /** The time for which an address stands in (RFC 8767 §5: 1 to 3 days). */
    private static final long STALE_NANOS = TimeUnit.DAYS.toNanos(1);

    private final Vertx vertx;
    private final Function<String, Future<InetAddress>> service;
    private final Map<String, Known> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > NAMES_MAX;
        }
    };

    /** Names of {@link #known} that the service is asked for in the background. */
    private final Set<String> asking = new HashSet<>();

    /**
     * @param failing whether the name service did not answer when it was last asked
     */
    private record Known(InetAddress address, long nanos, boolean failing) {}

    /**
     * @param vertx has the timers
     * @param service resolves a name
     */
    LastAddresses(Vertx vertx, Function<String, Future<InetAddress>> service) {
        this.vertx = vertx;
        this.service = service;
    }

    /** Returns the address of {@code name}. Fails as the service does if no address is known. */
    Future<InetAddress> of(String name) {
        Known last = last(name);
        if (last == null || !last.failing) {
            Future<InetAddress> asked = ask(name);
            return last == null || asked.succeeded() ? asked : firstOf(name, asked, last);
        }
        // One question at a time finds out whether the service is back.
        if (tryBegin(name)) {
            ask(name).onComplete(any -> end(name));
        }
        return Future.succeededFuture(last.address);
    }

    /** Returns the addresses that may stand in now. */
    List<NameAddress> known() {
        long now = System.nanoTime();
        List<NameAddress> addresses = new ArrayList<>();
        synchronized (known) {
            known.forEach((name, last) -> {
                if (now - last.nanos <= STALE_NANOS) {
                    addresses.add(new NameAddress(name, last.address, (now - last.nanos) / 1_000_000, last.failing));
                }
            });
        }
        return addresses;
    }

    /** Goes on with the addresses that another process knows. An answer of the name service replaces each of them. */
    void know(Collection<NameAddress> addresses) {
        long now = System.nanoTime();
        synchronized (known) {
            for (NameAddress each : addresses) {
                long age = TimeUnit.MILLISECONDS.toNanos(Math.max(0, each.ageMillis()));
                known.putIfAbsent(each.name(), new Known(each.address(), now - age, each.failing()));
            }
        }
    }

    private Future<InetAddress> ask(String name) {
        return service.apply(name).andThen((address, cause) -> {
            if (cause == null) {
                note(name, new Known(address, System.nanoTime(), false));
            } else {
                failed(name, cause);
            }
        });
    }

    private Future<InetAddress> firstOf(String name, Future<InetAddress> asked, Known last) {
        Promise<InetAddress> first = Promise.promise();
        long timer = vertx.setTimer(PATIENCE_MILLIS, late -> {
            // First, so that the next request does not wait. An answer that came meanwhile stays: it replaced the last.
            markFailing(name, last);
            first.tryComplete(last.address);
        });
        asked.onComplete(
                address -> {
                    vertx.cancelTimer(timer);
                    first.tryComplete(address);
                },
                cause -> {
                    vertx.cancelTimer(timer);
                    if (NameAnswers.saysThereIsNone(cause)) {
                        first.tryFail(cause);
                    } else {
                        first.tryComplete(last.address);
                    }
                });
        return first.future();
    }

    private @Nullable Known last(String name) {
        synchronized (known) {
            Known last = known.get(name);
            return last == null || System.nanoTime() - last.nanos > STALE_NANOS ? null : last;
        }
    }

    private void note(String name, Known now) {
        synchronized (known) {
            known.put(name, now);
        }
    }

    private void markFailing(String name, Known last) {
        synchronized (known) {
            known.replace(name, last, new Known(last.address, last.nanos, true));
        }
    }

    private void failed(String name, Throwable cause) {
        synchronized (known) {
            if (NameAnswers.saysThereIsNone(cause)) {
                known.remove(name);
            } else {
                known.computeIfPresent(name, (any, last) -> new Known(last.address, last.nanos, true));
            }
        }
    }

    private boolean tryBegin(String name) {
        synchronized (known) {
            return asking.add(name);
        }
    }

    private void end(String name) {
        synchronized (known) {
            asking.remove(name);
        }
    }
}
