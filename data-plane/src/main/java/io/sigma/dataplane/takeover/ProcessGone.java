package io.sigma.dataplane.takeover;

import java.io.IOException;

/** The other process has ended: nothing listens at its socket any more. */
public final class ProcessGone extends IOException {

    private static final long serialVersionUID = 1;

    ProcessGone(IOException cause) {
        super("the other process has ended: " + cause.getMessage(), cause);
    }
}
