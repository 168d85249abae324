package io.sigma.dataplane.engine.accept;

import java.io.IOException;
import org.slf4j.Logger;

/** Exceptions that end the connection of a client. Any thread. */
public final class ClientFailure {

    private ClientFailure() {}

    /** Logs {@code cause}, unless it is one of the network. */
    public static void log(Logger logger, Throwable cause) {
        if (!(cause instanceof IOException)) {
            logger.error("A connection of a client failed", cause);
        }
    }
}
