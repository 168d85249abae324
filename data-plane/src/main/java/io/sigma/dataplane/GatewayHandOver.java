package io.sigma.dataplane;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.takeover.HandOver;
import io.sigma.dataplane.takeover.Serving;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hand-over of a gateway to the process that takes its place.
 *
 * @param stops whether it is stopping
 * @param configFile what says what is served; null for control planes
 * @param leaves stops accepting
 */
record GatewayHandOver(
        GatewayEngine engine,
        ActiveSnapshot active,
        GatewayState learned,
        BooleanSupplier stops,
        @Nullable Path configFile,
        Supplier<Future<Void>> leaves)
        implements HandOver {

    private static final Logger LOG = LoggerFactory.getLogger(GatewayHandOver.class);

    /** The longest time of leaving, in seconds. The process that takes over waits longer. */
    private static final long LEAVE_SECONDS = 10;

    @Override
    public @Nullable String refusal() {
        if (stops.getAsBoolean()) {
            return "it stops";
        }
        return engine.canHandOver() ? null : "its transport passes no sockets (expected: io_uring or epoll)";
    }

    @Override
    public @Nullable Serving serving() {
        return Succession.serving(configFile, active);
    }

    @Override
    public Map<String, List<Integer>> sockets(int loops) {
        return engine.descriptors(loops);
    }

    @Override
    public JsonNode state() {
        return learned.write();
    }

    @Override
    public void leave() {
        try {
            leaves.get().await(LEAVE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.warn("This gateway needs more than {} s to leave", LEAVE_SECONDS);
        }
    }
}
