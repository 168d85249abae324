package io.sigma.dataplane.engine.tunnel;

import java.io.IOException;

/** The node does not switch to the protocol that was asked for. {@code Call} reports it as {@code NO_SWITCH}. */
public final class NoSwitch extends IOException {

    private static final long serialVersionUID = 1;

    public NoSwitch() {
        super("the node takes no extended CONNECT (RFC 8441)");
    }
}
