package io.sigma.dataplane.stream;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.DatagramNode;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.model.Protocol;
import io.sigma.model.ServerUdp;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/** The base of tests of datagrams. */
abstract class UdpContract extends StreamContract {

    /** The time that a client waits for a datagram that must not come, in milliseconds. */
    private static final int NOTHING_MILLIS = 300;

    static ServerUdp.Builder udp() {
        return ServerUdp.builder();
    }

    Config udp(ServerUdp.@Nullable Builder udp, String... nodes) {
        return passing(Protocol.UDP, nodes)
                .server(server(Protocol.UDP)
                        .udp(udp == null ? null : udp.build())
                        .build());
    }

    /** A client of one address and port that knows no peer but the gateway. */
    static final class Client implements AutoCloseable {

        private final DatagramSocket socket;

        Client(int port) throws IOException {
            this(port, "127.0.0.1");
        }

        Client(int port, String from) throws IOException {
            socket = new DatagramSocket(new InetSocketAddress(from, 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.setSoTimeout(TIMEOUT_MILLIS);
        }

        void send(byte[] datagram) throws IOException {
            socket.send(new DatagramPacket(datagram, datagram.length));
        }

        void send(String text) throws IOException {
            send(bytes(text));
        }

        byte[] receive() throws IOException {
            byte[] buffer = new byte[65_535];
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            socket.receive(packet);
            byte[] datagram = new byte[packet.getLength()];
            System.arraycopy(buffer, 0, datagram, 0, datagram.length);
            return datagram;
        }

        String ask(String text) throws IOException {
            send(text);
            return text(receive());
        }

        /** Returns whether nothing comes for a moment. */
        boolean hearsNothing() throws IOException {
            return hear() == null;
        }

        /** Returns what comes within a moment; null for nothing. */
        @Nullable
        String hear() throws IOException {
            socket.setSoTimeout(NOTHING_MILLIS);
            try {
                return text(receive());
            } catch (SocketTimeoutException e) {
                return null;
            } finally {
                socket.setSoTimeout(TIMEOUT_MILLIS);
            }
        }

        int port() {
            return socket.getLocalPort();
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    Client client() throws IOException {
        return new Client(port());
    }

    /** Returns the value of a series of the gateway's metrics; 0 where there is none. */
    double series(String series) throws IOException {
        return RawClient.get(gateway().gateway().telemetryPort(), "localhost", "/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .sum();
    }

    /** Returns the URL of a node that is none: nothing listens there. */
    static String unreachable() {
        try (DatagramNode gone = DatagramNode.silent()) {
            return gone.url();
        }
    }
}
