package io.sigma.e2e.chaos;

import java.io.IOException;

/** A client that does nothing wrong. Confined to one thread. */
interface Client extends AutoCloseable {

    /** The timeout of a client's reads, in milliseconds. */
    int TIMEOUT_MILLIS = 20_000;

    /**
     * Sends a request and reads its response to the end, on the connection that is open or on a new one.
     *
     * @throws IOException when the response is not what was asked for; the connection is then closed by the caller
     */
    void request() throws IOException;

    /** Closes the connection; another request opens the next one. */
    @Override
    void close();

    /** Connects a client. */
    @FunctionalInterface
    interface Opening {
        Wire open() throws IOException;
    }
}
