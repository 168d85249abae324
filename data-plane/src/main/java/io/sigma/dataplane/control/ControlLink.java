package io.sigma.dataplane.control;

import io.sigma.snapshot.Announcement;
import io.sigma.snapshot.Proposal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The way to a control plane. Calls may come from any thread; callbacks run on threads of the link. */
public interface ControlLink {

    /**
     * Sends a request to one of the addresses of {@link io.sigma.snapshot.SnapshotProtocol}.
     *
     * @return the reply; fails within ten seconds when none came or nothing is connected
     */
    Future<JsonObject> request(String address, JsonObject body);

    /** Sets who hears announcements; called once, before {@link #open()}. */
    void onAnnouncement(Consumer<Announcement> listener);

    /**
     * Sets who hears what control planes ask this gateway; called at most once, before {@link #open()}.
     *
     * @param gatewayId under which it is asked
     */
    void onQuestion(String gatewayId, Consumer<JsonObject> listener);

    /** Sets who hears proposals; called once, before {@link #open()}. */
    void onProposal(Consumer<Proposal> listener);

    /** Sets who is told each time that a control plane was reached; called once, before {@link #open()}. */
    void onConnected(Runnable listener);

    /**
     * Returns when the certificate that control planes know this gateway by ends, in seconds since 1970; 0 while it has none, or
     * where none is needed. Any thread may ask.
     */
    default long certificateEndSeconds() {
        return 0;
    }

    /**
     * Returns the Vert.x that this link has for itself, on whose one loop its client is best, since each change then crosses no
     * threads between them; null when it shares that of the gateway.
     */
    default @Nullable Vertx ownVertx() {
        return null;
    }

    /** Begins to connect, and goes on trying until {@link #close()}; completes at once. */
    Future<Void> open();

    Future<Void> close();
}
