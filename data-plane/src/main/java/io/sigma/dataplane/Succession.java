package io.sigma.dataplane;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.SnapshotApplier;
import io.sigma.dataplane.snapshot.store.SnapshotStore;
import io.sigma.dataplane.takeover.ProcessGone;
import io.sigma.dataplane.takeover.Serving;
import io.sigma.dataplane.takeover.Takeover;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps in which a gateway takes the place of another process: it gets the sockets, serves the revision of the
 * other process, then accepts. The steps follow each other; {@link #close} may be called at any time.
 */
final class Succession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Succession.class);

    /** The number of tries to read the revision of the other process from the disk. */
    private static final int REVISION_TRIES = 50;

    private static final long REVISION_PAUSE_MILLIS = 200;
    private static final long RESTORE_SECONDS = 120;

    private final Vertx vertx;
    private final GatewayEngine engine;
    private final SnapshotApplier applier;
    private final ActiveSnapshot active;
    private final GatewayState state;
    private final @Nullable Path configFile;
    private final Path dataDir;
    private volatile @Nullable Takeover takeover;

    /**
     * @param configFile what says what is served; null for control planes
     */
    Succession(
            Vertx vertx,
            GatewayEngine engine,
            SnapshotApplier applier,
            ActiveSnapshot active,
            GatewayState state,
            @Nullable Path configFile,
            Path dataDir) {
        this.vertx = vertx;
        this.engine = engine;
        this.applier = applier;
        this.active = active;
        this.state = state;
        this.configFile = configFile;
        this.dataDir = dataDir;
    }

    /**
     * Gets the sockets of the process that serves with the same data directory, if there is one.
     *
     * @return fails when that one hands nothing over
     */
    Future<Void> begin() {
        return vertx.executeBlocking(() -> {
            if (!engine.canHandOver()) {
                throw new IOException(
                        "--takeover needs sockets that can be passed (expected: the transport io_uring or" + " epoll)");
            }
            Takeover begun =
                    Takeover.begin(dataDir, Version.text(), engine.eventLoops().size());
            if (begun == null) {
                LOG.info("No gateway serves with {}: there is nothing to take over", dataDir.toAbsolutePath());
                return null;
            }
            takeover = begun;
            engine.inherit(begun.offer().sockets());
            return null;
        });
    }

    /** Returns whether there is a process whose place this one takes. */
    boolean isUnderWay() {
        return takeover != null;
    }

    /**
     * Takes the place, once this process serves what it has and does not accept yet.
     *
     * @param opened opens what both processes may have at once
     * @return completes when this process accepts, whatever became of the other one; fails while that one goes on
     */
    Future<Void> take(Supplier<Future<Void>> opened) {
        Takeover begun = takeover;
        if (begun == null) {
            return Future.succeededFuture();
        }
        return vertx.executeBlocking(() -> {
                    JsonNode before = agree(begun);
                    if (before != null) {
                        state.read(before);
                    }
                    return null;
                })
                .compose(ignored -> opened.get())
                .compose(ignored -> engine.acceptInherited())
                .compose(ignored -> vertx.executeBlocking(() -> {
                    end(begun);
                    return null;
                }));
    }

    /**
     * Serves what the other process serves, and returns what that one has learned; null when that one has ended. Its
     * sockets are here then, and nobody else accepts from them.
     */
    private @Nullable JsonNode agree(Takeover begun) throws IOException {
        try {
            return agreeWith(begun);
        } catch (ProcessGone e) {
            LOG.warn("The earlier gateway has ended, and this one goes on with its sockets");
            return null;
        }
    }

    private JsonNode agreeWith(Takeover begun) throws IOException {
        for (int i = 0; i < REVISION_TRIES; i++) {
            JsonNode learned = begun.ready(serving());
            if (learned != null) {
                checkAddresses();
                return learned;
            }
            engine.inherit(begun.offer().sockets());
            pause();
            Snapshot newer = new SnapshotStore(dataDir).load();
            if (newer != null && newer.revision() != active.current().source().revision()) {
                restore(newer);
            }
        }
        throw new IOException("the revision that the running gateway serves is not written to disk");
    }

    private void restore(Snapshot newer) throws IOException {
        try {
            applier.restore(newer)
                    .otherwiseEmpty()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(RESTORE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("revision " + newer.revision() + " cannot be served: " + e.getMessage(), e);
        }
    }

    private @Nullable Serving serving() {
        return serving(configFile, active);
    }

    static @Nullable Serving serving(@Nullable Path configFile, ActiveSnapshot active) {
        Snapshot current = active.current().source();
        return configFile == null
                ? new Serving(current.revision(), current.hash().hex())
                : null;
    }

    /** Of the same revision every address is served that the other process serves. */
    private void checkAddresses() throws IOException {
        Set<String> left = engine.leftOver();
        if (configFile == null && !left.isEmpty()) {
            throw new IOException("cannot serve " + String.join(", ", left) + " as the running gateway does");
        }
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(REVISION_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void end(Takeover begun) {
        try (begun) {
            begun.taken();
            LOG.info("The earlier gateway accepts no more connections");
        } catch (IOException e) {
            LOG.warn("The earlier gateway may be gone: {}", e.getMessage());
        }
    }

    /** Gives up: the other process goes on. */
    @Override
    public void close() {
        Takeover begun = takeover;
        if (begun != null) {
            begun.close();
        }
    }
}
