package io.sigma.e2e.takeover;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A socket of a node: one virtual thread serves each connection, until it is closed. */
final class NodeSocket implements AutoCloseable {

    private static final int BACKLOG = 4_096;

    /** Serves one connection, which is closed then. */
    @FunctionalInterface
    interface Script {
        void serve(Socket accepted) throws IOException;
    }

    private final ServerSocket listening;
    private final Script script;

    private NodeSocket(ServerSocket listening, Script script) {
        this.listening = listening;
        this.script = script;
    }

    static NodeSocket open(String name, Script script) throws IOException {
        NodeSocket node = new NodeSocket(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), script);
        Thread.ofPlatform().daemon().name(name).start(node::accept);
        return node;
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket accepted = listening.accept();
                Thread.ofVirtual().start(() -> serve(accepted));
            }
        } catch (IOException e) {
            // Closed.
            return;
        }
    }

    private void serve(Socket accepted) {
        try (accepted) {
            accepted.setTcpNoDelay(true);
            script.serve(accepted);
        } catch (IOException e) {
            // The gateway has reset the connection, which its client has noticed too.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
