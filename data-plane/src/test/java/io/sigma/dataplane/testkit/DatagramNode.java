package io.sigma.dataplane.testkit;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A node on loopback that takes datagrams, and answers each as a test wants. */
public final class DatagramNode implements AutoCloseable {

    private static final int BYTES_MAX = 65_535;

    /** What answers a datagram. */
    @FunctionalInterface
    public interface Answers {

        /** Returns what is sent back, in order. */
        List<byte[]> to(byte[] datagram);
    }

    private final DatagramSocket socket;
    private final Answers answers;
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final List<Integer> senders = new CopyOnWriteArrayList<>();

    private DatagramNode(DatagramSocket socket, Answers answers) {
        this.socket = socket;
        this.answers = answers;
        Thread.ofVirtual().start(this::serve);
    }

    public static DatagramNode echo() {
        return answering(datagram -> List.of(datagram));
    }

    /** Returns a node that sends nothing back. */
    public static DatagramNode silent() {
        return answering(datagram -> List.of());
    }

    /** Returns a node that sends {@code name} back. */
    public static DatagramNode named(String name) {
        return answering(datagram -> List.of(name.getBytes(StandardCharsets.US_ASCII)));
    }

    public static DatagramNode answering(Answers answers) {
        try {
            return new DatagramNode(
                    new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), answers);
        } catch (SocketException e) {
            throw new IllegalStateException(e);
        }
    }

    private void serve() {
        byte[] buffer = new byte[BYTES_MAX];
        while (!socket.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                byte[] datagram = new byte[packet.getLength()];
                System.arraycopy(buffer, 0, datagram, 0, datagram.length);
                received.add(new String(datagram, StandardCharsets.US_ASCII));
                senders.add(packet.getPort());
                for (byte[] answer : answers.to(datagram)) {
                    socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                // A sender is gone, or this is closed.
            }
        }
    }

    public int port() {
        return socket.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Returns what came, as text. */
    public List<String> received() {
        return received;
    }

    /** Returns the ports from which something came, one for each datagram. */
    public List<Integer> senders() {
        return senders;
    }

    /** Sends {@code text} from the address of the node to a port on loopback. */
    public void send(int port, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        try {
            socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
