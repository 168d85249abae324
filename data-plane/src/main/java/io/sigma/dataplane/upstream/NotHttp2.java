package io.sigma.dataplane.upstream;

import java.io.IOException;

/** A connection to a node on which HTTP/2 was spoken with prior knowledge, and the node did not answer in it. */
public final class NotHttp2 extends IOException {

    private static final long serialVersionUID = 1;

    private final boolean answered;

    /**
     * @param answered whether the node has answered with something else; else it said nothing
     */
    public NotHttp2(boolean answered) {
        super("the node does not speak HTTP/2");
        this.answered = answered;
    }

    boolean isAnswered() {
        return answered;
    }
}
