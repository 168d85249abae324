package io.sigma.dataplane.takeover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.channel.unix.Socket;
import io.netty.channel.uring.IoUring;
import io.sigma.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both sides of a take-over in one process. */
final class HandOverServerTest {

    private static final Serving FIRST = new Serving(1, "aa");
    private static final Serving SECOND = new Serving(2, "bb");

    @TempDir
    Path folder;

    private final CountDownLatch left = new CountDownLatch(1);
    private final List<String> steps = Collections.synchronizedList(new ArrayList<>());
    private @Nullable Socket listening;
    private @Nullable HandOverServer server;
    private volatile @Nullable Serving serving = FIRST;
    private volatile @Nullable String refusal;
    private volatile int copies = 1;

    @BeforeEach
    void listen() throws IOException {
        Assumptions.assumeTrue(IoUring.isAvailable());
        Socket made = Socket.newSocketStream();
        made.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        made.listen(16);
        listening = made;
    }

    @AfterEach
    void close() throws IOException {
        if (server != null) {
            server.close();
        }
        if (listening != null) {
            listening.close();
        }
    }

    private final HandOver gateway = new HandOver() {
        @Override
        public @Nullable String refusal() {
            return refusal;
        }

        @Override
        public @Nullable Serving serving() {
            return serving;
        }

        @Override
        public Map<String, List<Integer>> sockets(int loops) {
            return Map.of("127.0.0.1:80", Collections.nCopies(loops * copies, fd()));
        }

        @Override
        public JsonNode state() {
            return Json.mapper().createObjectNode().put("counted", 42);
        }

        @Override
        public void leave() {
            steps.add("left");
        }
    };

    private int fd() {
        return Objects.requireNonNull(listening).intValue();
    }

    private void open(Path dataDir) {
        server = HandOverServer.open(dataDir, gateway, "old", false, left::countDown);
    }

    private static Takeover begin(Path dataDir) throws IOException {
        return Objects.requireNonNull(Takeover.begin(dataDir, "new", 2));
    }

    @Test
    void socketsAndStateChangeOwners() throws Exception {
        // Longer than the path of a socket may be.
        Path dataDir = Files.createDirectories(folder.resolve("d".repeat(120)));
        open(dataDir);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dataDir.resolve("takeover.sock"))))
                .isEqualTo("rw-------");
        Offer offer;
        try (Takeover takeover = begin(dataDir)) {
            offer = takeover.offer();
            assertThat(offer.serving()).isEqualTo(FIRST);
            assertThat(offer.sockets().get("127.0.0.1:80")).hasSize(2).doesNotContain(fd());
            assertThat(takeover.ready(FIRST)).isEqualTo(Json.tree(Map.of("counted", 42)));
            assertThat(steps).isEmpty();
            takeover.taken();
        }
        // Until the new process listens, nobody may believe that none serves.
        assertThatThrownBy(() -> begin(dataDir)).hasMessageContaining("another process takes its place");
        assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(steps).containsExactly("left");
        assertThat(dataDir.resolve("takeover.sock")).doesNotExist();

        int port = Objects.requireNonNull(Objects.requireNonNull(listening).localAddress())
                .getPort();
        Objects.requireNonNull(listening).close();
        listening = null;
        try (SocketChannel client = SocketChannel.open()) {
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            int accepted = new Socket(offer.sockets().get("127.0.0.1:80").getFirst()).accept(new byte[28]);
            assertThat(accepted).isPositive();
            new Socket(accepted).close();
        }
        offer.close();
    }

    @Test
    void moreSocketsThanAMessageCarriesAreThere() throws Exception {
        copies = 400;
        open(folder);
        try (Takeover takeover = begin(folder)) {
            assertThat(takeover.offer().sockets().get("127.0.0.1:80"))
                    .hasSize(800)
                    .doesNotHaveDuplicates();
            takeover.offer().close();
        }
    }

    @Test
    void anotherRevisionIsOfferedAgain() throws Exception {
        open(folder);
        try (Takeover takeover = begin(folder)) {
            takeover.offer().close();
            serving = SECOND;
            assertThat(takeover.ready(FIRST)).isNull();
            assertThat(takeover.offer().serving()).isEqualTo(SECOND);
            takeover.offer().close();
            assertThat(takeover.ready(SECOND)).isNotNull();
        }
    }

    @Test
    void whoGivesUpChangesNothing() throws Exception {
        open(folder);
        for (int i = 0; i < 3; i++) {
            try (Takeover takeover = begin(folder)) {
                takeover.offer().close();
                if (i > 0) {
                    takeover.ready(FIRST);
                }
            }
        }
        assertThat(steps).isEmpty();
        assertThat(left.getCount()).isOne();
    }

    @Test
    void refusalSaysWhy() throws Exception {
        open(folder);
        refusal = "it stops";
        assertThatThrownBy(() -> begin(folder)).hasMessageContaining("it stops");
        refusal = null;
        begin(folder).close();
    }

    @Test
    void secondProcessIsRefusedWhileOneIsServedAndServedAfterThat() throws Exception {
        open(folder);
        try (Takeover takeover = begin(folder)) {
            takeover.offer().close();
            assertThatThrownBy(() -> begin(folder)).hasMessageContaining("another process takes its place");
            assertThat(takeover.ready(FIRST)).isNotNull();
        }
        begin(folder).offer().close();
    }

    @Test
    void protocolOfALaterBuildIsRefusedAndMoreFieldsAreNot() throws Exception {
        open(folder);
        try (ControlConnection later = Objects.requireNonNull(ControlSocket.connect(folder))) {
            later.send(Kind.HELLO, Json.tree(Map.of("protocols", List.of(2), "loops", 2)), List.of(), 10_000);
            assertThat(later.receive(10_000).kind()).isEqualTo(Kind.REFUSED);
        }
        try (ControlConnection later = Objects.requireNonNull(ControlSocket.connect(folder))) {
            JsonNode hello = Json.tree(Map.of("protocols", List.of(2, 1), "loops", 2, "more", Map.of()));
            later.send(Kind.HELLO, hello, List.of(), 10_000);
            assertThat(later.receive(10_000).kind()).isEqualTo(Kind.OFFER);
        }
    }

    @Test
    void whatIsNoMessageEndsTheConnectionAlone() throws Exception {
        open(folder);
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("takeover.sock"));
        for (byte[] bytes : List.of(
                new byte[] {0x7f, -1, -1, -1, 1}, new byte[] {0, 0, 0, 1, 99, 0}, new byte[] {0, 0, 0, 1, 1, '!'})) {
            try (SocketChannel stranger = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                stranger.connect(address);
                stranger.write(ByteBuffer.wrap(bytes));
                assertThat(stranger.read(ByteBuffer.allocate(1))).isNegative();
            } catch (SocketException e) {
                assertThat(e).hasMessageContaining("reset");
            }
        }
        begin(folder).offer().close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void processThatHasEndedIsToldFromOneThatGoesOn(boolean ends) throws Exception {
        ControlSocket socket = ControlSocket.listen(folder);
        Thread other = Thread.ofPlatform().start(() -> {
            try (ControlConnection connection = socket.accept()) {
                connection.receive(10_000);
                new Offer(FIRST, Map.of()).send(connection, "old");
                connection.receive(10_000);
                if (ends) {
                    socket.release();
                }
            } catch (IOException e) {
                steps.add(e.toString());
            }
        });
        try (Takeover takeover = begin(folder)) {
            assertThatThrownBy(() -> takeover.ready(FIRST))
                    .satisfies(e -> assertThat(e instanceof ProcessGone).isEqualTo(ends));
        }
        other.join();
        assertThat(steps).isEmpty();
        if (!ends) {
            socket.release();
        }
    }

    @Test
    void nobodyIsTheAnswerWhereNobodyListens() throws Exception {
        assertThat(Takeover.begin(folder, "new", 2)).isNull();
        open(folder);
        Objects.requireNonNull(server).close();
        assertThat(Takeover.begin(folder, "new", 2)).isNull();
    }

    /** Trouble with the disk when a gateway starts must not keep it from ever being replaced. */
    @Test
    void directoryThatTakesNoSocketIsTriedAgain() throws Exception {
        Path dataDir = folder.resolve("data");
        Files.writeString(dataDir, "no directory");
        open(dataDir);
        Files.delete(dataDir);
        Takeover takeover = null;
        for (int i = 0; i < 600 && takeover == null; i++) {
            Thread.sleep(50);
            takeover = Takeover.begin(dataDir, "new", 2);
        }
        assertThat(takeover).isNotNull();
        Objects.requireNonNull(takeover).offer().close();
        takeover.close();
    }

    @Test
    void secondProcessLeavesTheSocketOfTheFirst() throws Exception {
        open(folder);
        assertThat(HandOverServer.open(folder, gateway, "other", false, left::countDown))
                .isNull();
        try (HandOverServer replacing = HandOverServer.open(folder, gateway, "next", true, left::countDown)) {
            assertThat(replacing).isNotNull();
            Objects.requireNonNull(server).close();
            begin(folder).offer().close();
        }
    }
}
