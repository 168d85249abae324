package io.sigma.cli.process;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects to close, the last added first; a failure of one does not keep the others from being closed. Confined to one
 * thread at a time.
 */
public final class Cleanup implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Cleanup.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    Cleanup add(AutoCloseable part) {
        parts.push(part);
        return this;
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Throwable e) {
                log.error("could not be stopped properly", e);
            }
        }
    }
}
