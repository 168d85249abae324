package io.sigma.dataplane.filter;

/** The consumers of the snapshot that is served. Thread-safe. */
public final class Consumers {

    private volatile ConsumerDirectory directory = ConsumerDirectory.EMPTY;

    public ConsumerDirectory directory() {
        return directory;
    }

    public void serve(ConsumerDirectory next) {
        directory = next;
    }
}
