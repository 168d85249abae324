package io.sigma.e2e.fault;

import io.sigma.e2e.SigmaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A name server at 127.0.0.77:53, to which every name is 127.0.0.1 for a second, and which can be silent. Takes root.
 */
public final class NameServer implements AutoCloseable {

    public static final String ADDRESS = "127.0.0.77";

    private static final int PORT = 53;
    private static final int HEAD_BYTES = 12;
    private static final int TYPE_A = 1;
    private static final short NAME_OF_THE_QUESTION = (short) 0xc00c;

    private final DatagramSocket socket;
    private volatile boolean silent;

    private NameServer(DatagramSocket socket) {
        this.socket = socket;
        Thread.ofVirtual().start(this::serve);
    }

    public static NameServer start() throws IOException {
        return new NameServer(new DatagramSocket(PORT, InetAddress.getByName(ADDRESS)));
    }

    public void silent(boolean on) {
        silent = on;
    }

    private void serve() {
        byte[] bytes = new byte[512];
        while (!socket.isClosed()) {
            try {
                DatagramPacket question = new DatagramPacket(bytes, bytes.length);
                socket.receive(question);
                if (!silent) {
                    byte[] answer = answer(Arrays.copyOf(bytes, question.getLength()));
                    socket.send(new DatagramPacket(answer, answer.length, question.getSocketAddress()));
                }
            } catch (IOException | RuntimeException e) {
                // Closed, or no question.
            }
        }
    }

    /** Returns the address to a question of type A, and nothing to others. */
    private static byte[] answer(byte[] question) {
        int end = HEAD_BYTES;
        while (question[end] != 0) {
            end += question[end] + 1;
        }
        end += 5;
        boolean known = question[end - 3] == TYPE_A;
        ByteBuffer answer = ByteBuffer.allocate(end + 16);
        answer.put(question, 0, 2).putShort((short) 0x8580).putShort((short) 1);
        answer.putShort((short) (known ? 1 : 0)).putInt(0).put(question, HEAD_BYTES, end - HEAD_BYTES);
        if (known) {
            answer.putShort(NAME_OF_THE_QUESTION).putShort((short) TYPE_A).putShort((short) 1);
            answer.putInt(1).putShort((short) 4).put(new byte[] {127, 0, 0, 1});
        }
        return Arrays.copyOf(answer.array(), answer.position());
    }

    @Override
    public void close() {
        socket.close();
    }

    /** Lets a process ask this server for names, and no other process. */
    public static void askedBy(SigmaProcess.Command command, Path folder) {
        try {
            Path config = Files.writeString(folder.resolve("resolv.conf"), "nameserver " + ADDRESS + "\n");
            command.under(
                    "unshare",
                    "--mount",
                    "sh",
                    "-c",
                    "mount --bind '" + config + "' /etc/resolv.conf && exec \"$@\"",
                    "sh");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
