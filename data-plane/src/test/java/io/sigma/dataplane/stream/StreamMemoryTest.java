package io.sigma.dataplane.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.model.Protocol;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The memory that readers hold after they stop. */
final class StreamMemoryTest extends StreamContract {

    private static final int READERS = 8;
    private static final long HELD_MAX = 128 * 1024;

    @Test
    void clientsThatStopReadingHoldLittle() throws Exception {
        AtomicLong sent = new AtomicLong();
        try (SocketNode node = SocketNode.start(socket -> send(socket, sent))) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                Socket client = new Socket();
                client.setReceiveBufferSize(16 * 1024);
                client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
                clients.add(client);
            }
            assertHeld(sent);
            for (Socket client : clients) {
                client.close();
            }
            noneIsHeld();
        }
    }

    @Test
    void nodesThatStopReadingHoldLittle() throws Exception {
        AtomicLong sent = new AtomicLong();
        try (SocketNode node = SocketNode.start(socket -> {
            socket.setReceiveBufferSize(16 * 1024);
            TimeUnit.SECONDS.sleep(60);
        })) {
            // What a client sent before its end waits for the node for so long.
            gateway()
                    .apply(passing(Protocol.TCP, node.url())
                            .server(server(Protocol.TCP)
                                    .limits(limits().idleTimeoutMillis(3_000).build())
                                    .build()));
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                Socket client = connect();
                clients.add(client);
                Thread.ofVirtual().start(() -> send(client, sent));
            }
            assertHeld(sent);
            for (Socket client : clients) {
                client.close();
            }
            noneIsHeld();
        }
    }

    private static void send(Socket socket, AtomicLong sent) {
        try {
            OutputStream out = socket.getOutputStream();
            byte[] piece = new byte[64 * 1024];
            while (true) {
                out.write(piece);
                sent.addAndGet(piece.length);
            }
        } catch (IOException e) {
            // The other side is gone.
            return;
        }
    }

    private void assertHeld(AtomicLong sent) throws Exception {
        long before;
        do {
            before = sent.get();
            TimeUnit.MILLISECONDS.sleep(500);
        } while (before == 0 || sent.get() != before);
        long held = held();
        assertThat(held).isPositive().isLessThanOrEqualTo(READERS * HELD_MAX);
    }

    private void noneIsHeld() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (held() > 0) {
            assertThat(System.nanoTime()).as("%s bytes are still held", held()).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private long held() {
        return (long) gateway().metric("sigma_held_bytes");
    }
}
