package io.sigma.dataplane.filter;

/** The consumers of the snapshot that is served, and the checks of credentials. Thread-safe. */
public final class Consumers {

    private static final int PASSWORDS_WAITING_MAX = 32;

    /** A check of a signature takes about a thousandth of the time of a check of a password. */
    private static final int TOKENS_WAITING_MAX = 1_024;

    private final CredentialQueue passwords = new CredentialQueue(PASSWORDS_WAITING_MAX);
    private final CredentialQueue tokens = new CredentialQueue(TOKENS_WAITING_MAX);
    private volatile ConsumerDirectory directory = ConsumerDirectory.EMPTY;

    /** Returns who may check a password next. */
    public CredentialQueue passwords() {
        return passwords;
    }

    /** Returns who may check a signed token next. */
    public CredentialQueue tokens() {
        return tokens;
    }

    public ConsumerDirectory directory() {
        return directory;
    }

    public void serve(ConsumerDirectory next) {
        directory = next;
    }
}
