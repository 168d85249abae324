package io.sigma.e2e.takeover;

import java.io.IOException;

/** A node of TCP that sends back what it gets, and ends when the other side does. */
final class Echo {

    private Echo() {}

    static NodeSocket open() throws IOException {
        return NodeSocket.open("echo", accepted -> accepted.getInputStream().transferTo(accepted.getOutputStream()));
    }
}
