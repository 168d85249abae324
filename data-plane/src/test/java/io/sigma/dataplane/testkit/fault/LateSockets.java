package io.sigma.dataplane.testkit.fault;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Clients that connect when the process has no descriptor left. */
public final class LateSockets {

    private LateSockets() {}

    /** Returns sockets that have their descriptors before they are connected. */
    public static List<Socket> make(int count) throws IOException {
        List<Socket> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Socket client = new Socket();
            client.setSoTimeout(10_000);
            client.setTcpNoDelay(true);
            made.add(client);
        }
        // What reads and what fails is loaded while there are descriptors.
        try (Socket idle = new Socket(InetAddress.getLoopbackAddress(), closedAtOnce())) {
            isAnswered(idle);
        }
        return made;
    }

    private static int closedAtOnce() throws IOException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            try (server;
                    Socket accepted = server.accept()) {
                accepted.setSoLinger(true, 0);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        return server.getLocalPort();
    }

    /** Returns whether {@code client} hears anything within a time. */
    public static boolean isAnswered(Socket client) {
        try {
            client.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            client.getInputStream().read();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
