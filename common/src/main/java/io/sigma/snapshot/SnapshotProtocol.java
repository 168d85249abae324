package io.sigma.snapshot;

/**
 * The event-bus addresses between a control plane and its gateways, and the bounds of what travels. Delivery is at
 * least once and in no order: an announcement is a hint, a gateway also asks with every status, revisions only move
 * forward, and a gateway checks the state hash after applying.
 *
 * <p>Bodies are the records of this package as JSON objects. Nothing else crosses between the planes.
 */
public final class SnapshotProtocol {

    /** Control plane to every gateway (publish): {@link Announcement}. */
    public static final String ANNOUNCE = "sigma.snapshot.announce";

    /** Gateway to control plane (request): {@link FetchRequest}, answered by {@link FetchReply}. */
    public static final String FETCH = "sigma.snapshot.fetch";

    /**
     * Gateway to control plane (request, or send): {@link GatewayStatus}; a request is answered by
     * {@link Announcement}.
     */
    public static final String STATUS = "sigma.gateway.status";

    /** Gateway to control plane (request): {@link HealthReport}, answered by an empty object. */
    public static final String HEALTH = "sigma.gateway.health";

    /** Control plane to every gateway (publish): {@link Proposal}. */
    public static final String PREPARE = "sigma.snapshot.prepare";

    /** Gateway to control plane (request): {@link Vote}, answered by an empty object. */
    public static final String VOTE = "sigma.gateway.vote";

    /**
     * Gateway to control plane (request): {@link RouteAnswer} or {@link RequestsAnswer}, answered by an empty object.
     */
    public static final String ANSWER = "sigma.gateway.answer";

    /** Gateway to control plane (request): {@link TrafficReport}, answered by an empty object when it is kept. */
    public static final String TRAFFIC = "sigma.gateway.traffic";

    /**
     * Gateway to control plane (request): {@link io.sigma.identity.CertificateRequest}, answered by
     * {@link io.sigma.identity.CertificateReply}.
     */
    public static final String RENEW = "sigma.gateway.certificate";

    private static final String ASK = "sigma.gateway.ask.";

    /** Compressed bytes in one {@link FetchReply}. */
    public static final int CHUNK_BYTES = 256 * 1024;

    /** Largest snapshot, in bytes before compression. */
    public static final int SNAPSHOT_BYTES_MAX = 512 * 1024 * 1024;

    private SnapshotProtocol() {}

    /**
     * Returns the address of control planes to one gateway (send): {@link RouteQuestion} or {@link RequestsQuestion}.
     */
    public static String ask(String gatewayId) {
        return ASK + gatewayId;
    }
}
