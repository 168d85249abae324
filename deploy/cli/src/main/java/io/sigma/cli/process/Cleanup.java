package io.sigma.cli.process;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be closed, the last added first; one that fails does not keep the others. Confined to one thread at a
 * time.
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
                log.error("could not be stopped in order", e);
            }
        }
    }
}
