package io.sigma.dataplane.filter;

/** The consumers of the snapshot that is served, and the checks of their passwords. Thread-safe. */
public final class Consumers {

    private volatile ConsumerDirectory directory = ConsumerDirectory.EMPTY;

    private final PasswordQueue passwords = new PasswordQueue();

    /** Returns who may check a password next. */
    public PasswordQueue passwords() {
        return passwords;
    }

    public ConsumerDirectory directory() {
        return directory;
    }

    public void serve(ConsumerDirectory next) {
        directory = next;
    }
}
