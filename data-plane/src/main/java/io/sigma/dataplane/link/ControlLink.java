package io.sigma.dataplane.link;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.snapshot.Announcement;
import io.sigma.snapshot.Proposal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The way to a control plane. Calls may come from any thread; callbacks run on threads of the link. */
public interface ControlLink {

    /**
     * Sends a request to one of the addresses of {@link io.sigma.snapshot.SnapshotProtocol}.
     *
     * @param message a record of the protocol
     * @param type the record that the reply is read as
     * @return the reply; fails within ten seconds when none came, it is no {@code type}, or nothing is connected
     */
    <T> Future<T> request(String address, Object message, Class<T> type);

    /** As {@link #request(String, Object, Class)}, without the content of the reply. */
    default Future<Void> request(String address, Object message) {
        return request(address, message, JsonNode.class).mapEmpty();
    }

    /**
     * Sends to one of these addresses what needs no reply: one message less to wake for.
     *
     * @return completes when it is on its way; fails when nothing is connected
     */
    Future<Void> tell(String address, Object message);

    /** Sets who hears announcements; called once, before {@link #open()}. */
    void onAnnouncement(Consumer<Announcement> listener);

    /**
     * Sets who hears what control planes ask this gateway; called at most once, before {@link #open()}.
     *
     * @param gatewayId under which it is asked
     */
    void onQuestion(String gatewayId, Consumer<JsonNode> listener);

    /** Sets who hears proposals; called once, before {@link #open()}. */
    void onProposal(Consumer<Proposal> listener);

    /** Sets who is told each time that a control plane was reached; called once, before {@link #open()}. */
    void onConnected(Runnable listener);

    /**
     * Returns when the certificate that control planes know this gateway by ends, in seconds since 1970; 0 while it has
     * none, or where none is needed. Any thread may ask.
     */
    default long certificateEndSeconds() {
        return 0;
    }

    /**
     * Returns the Vert.x that this link has for itself, on whose one loop its client is best, since each change then
     * crosses no threads between them; null when it shares that of the gateway.
     */
    default @Nullable Vertx ownVertx() {
        return null;
    }

    /**
     * Returns whether a control plane on this machine may listen on {@code port}, for gateways or for people. Any
     * thread may ask.
     */
    default boolean isControlPort(int port) {
        return false;
    }

    /** Begins to connect, and goes on trying until {@link #close()}; completes at once. */
    Future<Void> open();

    Future<Void> close();
}
