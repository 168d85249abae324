package io.sigma.e2e.takeover;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A node of TCP that sends back what it gets, and ends when the other side does. One virtual thread a connection. */
final class Echo implements AutoCloseable {

    private final ServerSocket listening;

    private Echo(ServerSocket listening) {
        this.listening = listening;
    }

    static Echo start() throws IOException {
        Echo echo = new Echo(new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress()));
        Thread.ofPlatform().daemon().name("echo").start(echo::accept);
        return echo;
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

    private static void serve(Socket accepted) {
        try (accepted) {
            accepted.setTcpNoDelay(true);
            accepted.getInputStream().transferTo(accepted.getOutputStream());
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
