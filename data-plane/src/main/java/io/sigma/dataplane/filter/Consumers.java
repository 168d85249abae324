package io.sigma.dataplane.filter;

/** The consumers of the snapshot that is served. Thread-safe. */
public final class Consumers {

    private volatile ConsumerDirectory directory = ConsumerDirectory.EMPTY;

    ConsumerDirectory directory() {
        return directory;
    }

    void serve(ConsumerDirectory next) {
        directory = next;
    }
}
