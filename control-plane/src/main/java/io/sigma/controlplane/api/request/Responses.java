package io.sigma.controlplane.api.request;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends bodies no faster than they are read: of a client that does not read, a piece is held and no copy of the whole.
 */
public final class Responses {

    private static final int PIECE_BYTES = 64 * 1024;

    /** In which a client reads a piece. */
    private static final long PIECE_SECONDS = 30;

    private Responses() {}

    /** Sends {@code content} and ends the response, or its connection when the client does not read. Waits. */
    public static void end(HttpServerResponse response, byte[] content) {
        if (content.length <= PIECE_BYTES) {
            response.end(Buffer.buffer(content));
            return;
        }
        response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(content.length));
        for (int at = 0; at < content.length; at += PIECE_BYTES) {
            Buffer piece = Buffer.buffer().appendBytes(content, at, Math.min(PIECE_BYTES, content.length - at));
            if (!written(response, response.write(piece))) {
                return;
            }
        }
        response.end();
    }

    /**
     * Waits until a piece is on its way.
     *
     * @return false when the client is gone or does not read; its connection is closed
     */
    static boolean written(HttpServerResponse response, Future<Void> writing) {
        try {
            writing.await(PIECE_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException e) {
            response.reset();
            return false;
        } catch (RuntimeException e) {
            // The client is gone; nobody is left to tell it to.
            return false;
        }
    }
}
