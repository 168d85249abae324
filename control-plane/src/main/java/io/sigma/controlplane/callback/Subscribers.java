package io.sigma.controlplane.callback;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who want to hear of one thing. What one of them throws, an {@link Error} too, keeps no other from hearing, and
 * does not reach the one who tells: news are not told a second time. Thread-safe.
 *
 * @param <T> the type of notifications
 */
public final class Subscribers<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Subscribers.class);

    private final String subject;
    private final List<Consumer<? super T>> all = new CopyOnWriteArrayList<>();

    /** @param subject the subject of notifications, for the log */
    public Subscribers(String subject) {
        this.subject = subject;
    }

    /** Adds one, which must not block. */
    public void add(Consumer<? super T> listener) {
        all.add(Objects.requireNonNull(listener));
    }

    /** Calls each, in the order in which they came, on the thread of the caller. */
    public void tell(T news) {
        for (Consumer<? super T> listener : all) {
            try {
                listener.accept(news);
            } catch (RuntimeException | Error e) {
                LOG.error("A listener of {} failed", subject, e);
            }
        }
    }
}
