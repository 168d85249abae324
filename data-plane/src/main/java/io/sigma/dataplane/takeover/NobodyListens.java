package io.sigma.dataplane.takeover;

import java.io.IOException;

/** There is no socket at a path, or no process listens on it. */
final class NobodyListens extends IOException {

    private static final long serialVersionUID = 1;

    NobodyListens(String call) {
        super(call + ": nobody listens there");
    }
}
