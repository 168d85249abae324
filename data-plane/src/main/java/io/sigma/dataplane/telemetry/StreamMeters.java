package io.sigma.dataplane.telemetry;

import io.micrometer.core.instrument.Tags;
import io.sigma.dataplane.exchange.StreamEnd;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one router of TCP or TLS, or of those that met none, by how they ended. It has no series before the
 * first connection ends: most proxy servers speak HTTP, and a configuration may be refused. Thread-safe.
 */
public final class StreamMeters {

    private final String proxyServer;
    private final String router;
    private final Supplier<Series> register;
    private volatile @Nullable Series series;

    /**
     * @param register returns the series of these ids, the same ones each time
     */
    StreamMeters(String proxyServer, String router, Supplier<Series> register) {
        this.proxyServer = proxyServer;
        this.router = router;
        this.register = register;
    }

    /** Counts a connection that is over; to be called on the event loop {@code loop}. */
    public void ended(int loop, StreamEnd end, long in, long out) {
        Series counted = series;
        if (counted == null) {
            counted = register.get();
            series = counted;
        }
        counted.ended(loop, end, in, out);
    }

    /** Those of the same ids count in the same series. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StreamMeters meters
                && meters.proxyServer.equals(proxyServer)
                && meters.router.equals(router);
    }

    @Override
    public int hashCode() {
        return 31 * proxyServer.hashCode() + router.hashCode();
    }

    /** The counters of the connections of one proxy server and router. Thread-safe. */
    @SuppressWarnings("EnumOrdinal") // An array slot within one process; nothing is kept.
    static final class Series {

        private final Function<String, LoopCounter> ends;
        private final AtomicReferenceArray<LoopCounter> byEnd = new AtomicReferenceArray<>(StreamEnd.values().length);
        private final LoopCounter bytesIn;
        private final LoopCounter bytesOut;

        /**
         * @param ends returns the counter of an end; asked when the first connection with it is counted
         * @param bytesIn counts bytes of clients
         * @param bytesOut counts bytes of nodes
         */
        Series(Function<String, LoopCounter> ends, LoopCounter bytesIn, LoopCounter bytesOut) {
            this.ends = ends;
            this.bytesIn = bytesIn;
            this.bytesOut = bytesOut;
        }

        private void ended(int loop, StreamEnd end, long in, long out) {
            int slot = end.ordinal();
            LoopCounter counter = byEnd.get(slot);
            if (counter == null) {
                counter = ends.apply(end.label());
                byEnd.set(slot, counter);
            }
            counter.add(loop, 1);
            bytesIn.add(loop, in);
            bytesOut.add(loop, out);
        }
    }

    /**
     * Datagrams of one proxy server. It has no series before something is counted: most proxy servers speak HTTP. Every
     * method is to be called on the event loop whose index it is given.
     */
    @SuppressWarnings("EnumOrdinal") // An array slot within one process; nothing is kept.
    public static final class Datagrams {

        private static final String IN = "in";
        private static final String OUT = "out";
        private static final String DROPPED = "dropped";

        private final BiFunction<String, Tags, LoopCounter> counters;
        private final AtomicReferenceArray<LoopCounter> drops =
                new AtomicReferenceArray<>(StreamEnd.Drop.values().length);
        private volatile @Nullable LoopCounter in;
        private volatile @Nullable LoopCounter out;

        /**
         * @param counters returns the counter of a name and tags, the same one each time
         */
        Datagrams(BiFunction<String, Tags, LoopCounter> counters) {
            this.counters = counters;
        }

        static String describe(String name) {
            return switch (name) {
                case IN -> "Datagrams of clients that were passed to nodes.";
                case OUT -> "Datagrams of nodes that were passed to clients.";
                default -> "Datagrams that were not passed on, by reason.";
            };
        }

        /** Counts a datagram that was passed on. */
        public void passed(int loop, boolean fromClient) {
            LoopCounter counter = fromClient ? in : out;
            if (counter == null) {
                counter = counters.apply(fromClient ? IN : OUT, Tags.empty());
                if (fromClient) {
                    in = counter;
                } else {
                    out = counter;
                }
            }
            counter.add(loop, 1);
        }

        /** Counts a datagram that was not passed on. */
        public void dropped(int loop, StreamEnd.Drop reason) {
            LoopCounter counter = drops.get(reason.ordinal());
            if (counter == null) {
                counter = counters.apply(DROPPED, Tags.of("reason", reason.label()));
                drops.set(reason.ordinal(), counter);
            }
            counter.add(loop, 1);
        }
    }
}
