package io.sigma.identity;

/**
 * The paths that a control plane serves on its cluster port, over TLS 1.3: the event bus bridge for peers with a
 * gateway's certificate, and enrolment for those that have none yet.
 */
public final class ClusterEndpoint {

    /** The port where settings name none. */
    public static final int PORT = 9090;

    /** The bridge of vertx-web, as a plain WebSocket. */
    public static final String BUS_PATH = "/bus/websocket";

    /** POST of an {@link EnrolRequest} as JSON, answered by an {@link EnrolReply}. */
    public static final String ENROL_PATH = "/enrol";

    /** Largest {@link EnrolRequest} or {@link EnrolReply}, as JSON. */
    public static final int ENROL_BYTES_MAX = 16 * 1024;

    /** Largest message from a gateway. */
    public static final int GATEWAY_MESSAGE_BYTES_MAX = 32 * 1024;

    /** Largest message to a gateway: a chunk in base64 and its envelope. */
    public static final int CONTROL_PLANE_MESSAGE_BYTES_MAX = 512 * 1024;

    /** The version of TLS, as JSSE names it. */
    public static final String TLS_VERSION = "TLSv1.3";

    private ClusterEndpoint() {}
}
