package io.sigma.dataplane.exchange;

import io.sigma.dataplane.disk.ServedFile;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of an exchange, implemented by an engine. Confined to the event loop of the client's connection.
 */
public interface Downstream {

    /** Returns an empty head for an answer of the gateway's own. */
    ResponseHead head(int status);

    /**
     * Returns the subject of the certificate that the client showed and that was verified in the handshake (RFC 2253),
     * null when it showed none.
     */
    @Nullable
    String clientSubject();

    /** Sends a whole response; for HEAD, 204 and 304 the body is left out and, where allowed, its length is kept. */
    void answer(ResponseHead head, byte[] body);

    /**
     * Sends a response whose body is {@code length} bytes of a file, from the byte at {@code offset} on.
     *
     * @param file opened by this call, off the event loop where opening may block
     */
    void answerFile(ResponseHead head, ServedFile file, long offset, long length);

    /** Returns whether a response, or the head of one, is on its way: it cannot become another one any more. */
    boolean isCommitted();

    /** Returns whether a whole response is on its way: whatever becomes of the request, the client gets it. */
    boolean isAnswered();

    /** Ends the connection (HTTP/1) or the stream (HTTP/2) so that the client cannot take the response for complete. */
    void abort();

    /** Announces that the connection is closed after the answer, which must not be sent yet, and closes it then. */
    void closeAfterAnswer();
}
