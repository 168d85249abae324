package io.sigma.dataplane.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes on HTTP/2 that accept connections and take no request on them. */
final class Http2NodeLimitsTest extends EngineContract {

    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final byte[] NO_STREAMS = {0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0};
    private static final byte[] GOAWAY = {0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    enum Way {
        NO_STREAMS,
        GOAWAY,
        SETTINGS_AND_CLOSE,
        CLOSE,
        NOTHING
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aNodeThatTakesNoRequestIsNotConnectedToAgainAndAgain(Way way) throws Exception {
        Queue<Socket> accepted = new ConcurrentLinkedQueue<>();
        try (ServerSocket node = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> {
                try {
                    while (true) {
                        Socket socket = node.accept();
                        accepted.add(socket);
                        Thread.startVirtualThread(() -> answer(socket, way));
                    }
                } catch (IOException e) {
                    // The test is over.
                }
            });
            gateway()
                    .apply(forwarding("http://127.0.0.1:" + node.getLocalPort())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    nodes -> nodes.toBuilder()
                                            .protocol(NodeProtocol.HTTP2)
                                            .build())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .timeouts(Timeouts.builder()
                                                    .connectMillis(2_000)
                                                    .responseMillis(2_000)
                                                    .build())
                                            .build()));
            assertThat(get("/").status()).isGreaterThanOrEqualTo(502);
            assertThat(accepted).hasSizeLessThanOrEqualTo(20);
        } finally {
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }

    private static void answer(Socket socket, Way way) {
        try {
            OutputStream out = socket.getOutputStream();
            switch (way) {
                case NO_STREAMS -> out.write(NO_STREAMS);
                case GOAWAY -> {
                    out.write(SETTINGS);
                    out.write(GOAWAY);
                }
                case SETTINGS_AND_CLOSE -> out.write(SETTINGS);
                default -> {}
            }
            out.flush();
            if (way == Way.CLOSE || way == Way.SETTINGS_AND_CLOSE) {
                socket.close();
                return;
            }
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The gateway has closed it.
        }
    }
}
