package io.sigma.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * A filter of a gateway's last requests. Equal filters share one place at a gateway, whoever asks.
 *
 * @param route the id of a route, or {@value #NO_ROUTE} for requests that no route took; null for all
 * @param proxyServer the id of a proxy server; null for all
 * @param status null for all
 * @param text a part of host, path, method, node or error, in any case; {@value #TEXT_MAX} characters at most; null for
 *     all
 */
public record RequestFilter(
        @Nullable String route,
        @Nullable String proxyServer,
        @Nullable Status status,
        @Nullable String text) {

    public static final RequestFilter ALL = new RequestFilter(null, null, null, null);

    /** Stands for no route. */
    public static final String NO_ROUTE = "none";

    public static final int TEXT_MAX = 64;

    /** A class of statuses. */
    public enum Status {
        INFORMATIONAL(1),
        SUCCESSFUL(2),
        REDIRECTION(3),
        CLIENT_ERROR(4),
        SERVER_ERROR(5),
        /** Answered 5xx, not at all, or broken off by a failure. */
        FAILED(0);

        private final int hundreds;

        Status(int hundreds) {
            this.hundreds = hundreds;
        }

        /**
         * Returns whether a request belongs to this class.
         *
         * @param status 0 for none
         */
        public boolean includes(int status, boolean failed) {
            return this == FAILED ? failed : status / 100 == hundreds;
        }
    }
}
