package io.sigma.dataplane.exchange;

import org.jspecify.annotations.Nullable;

/**
 * The bytes of an exchange's bodies that are read ahead of the other side.
 *
 * @param announcedMax request bodies whose length is announced and not larger are received whole before a node is asked
 * @param unannouncedMax the same for those whose length is not announced
 * @param readAhead how much of a response is held for a client that reads slowly, beside what the connection takes
 */
public record BodyBuffering(int announcedMax, int unannouncedMax, int readAhead) {

    private static final int ANNOUNCED_MAX = 64 * 1024;

    /**
     * @param requestBytes null for the default, which holds short bodies whose length is known
     */
    public static BodyBuffering of(@Nullable Integer requestBytes, int responseBytes) {
        return requestBytes == null
                ? new BodyBuffering(ANNOUNCED_MAX, 0, responseBytes)
                : new BodyBuffering(requestBytes, requestBytes, responseBytes);
    }

    /**
     * Returns how much of a request's body is received before a node is asked; 0 for nothing.
     *
     * @param bodyBytes length of the body, -1 when it is not announced
     */
    public int held(long bodyBytes) {
        return bodyBytes < 0 ? unannouncedMax : bodyBytes <= announcedMax ? announcedMax : 0;
    }
}
