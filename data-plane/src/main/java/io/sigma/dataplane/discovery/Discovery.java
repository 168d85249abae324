package io.sigma.dataplane.discovery;

import io.sigma.model.NodeDiscovery;
import java.util.List;
import java.util.function.Consumer;

/**
 * A way to find nodes, found itself with {@link java.util.ServiceLoader}: so it has a public constructor without
 * arguments, which does nothing that costs. Thread-safe.
 */
public interface Discovery extends AutoCloseable {

    /** Returns the name under which it is configured: {@code DNS}. */
    String type();

    /**
     * Finds nodes until the watch is closed.
     *
     * @param settings whose type is that of this discovery
     * @param found called on any thread with the nodes, all of them, when they are known and when they have changed;
     *     not while the source cannot be asked, so the last ones stay
     * @throws IllegalArgumentException when the settings are not right, with a message for people
     */
    Watch watch(NodeDiscovery settings, Consumer<List<DiscoveredNode>> found);

    /**
     * Looks whether {@link #watch} would take {@code settings}: gateways vote on a change before there are any nodes to
     * find. May block for a moment. By default a watch is begun and ended.
     *
     * @throws IllegalArgumentException when the settings are not right, with a message for people
     */
    default void check(NodeDiscovery settings) {
        watch(settings, nodes -> {}).close();
    }

    /** Ends every watch and what runs for them. */
    @Override
    void close();

    /** Somebody's interest in nodes. */
    interface Watch extends AutoCloseable {

        /** Ends it; what is under way may still be told. */
        @Override
        void close();
    }
}
