package io.sigma.e2e.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.e2e.Await;
import io.sigma.e2e.SigmaProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code sigma gateway --takeover}, with real processes. {@code make takeover} does the same twenty times. */
class TakeoverTest {

    private static final int PER_SECOND = Integer.getInteger("sigma.connectionsPerSecond", 200);
    private static final int LONG = 10;
    private static final int SHORT = 10;
    private static final int WEB_SOCKETS = 5;
    private static final int TCP = 5;

    private static final List<String> LAST =
            List.of(KeptConnections.LAST + KeptConnections.LONG, KeptConnections.LAST + KeptConnections.SHORT);

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"io_uring, epoll", "epoll, io_uring"})
    void noConnectionIsLost(String before, String after) throws Exception {
        try (Takeovers takeovers = Takeovers.start(folder, before)) {
            takeovers.transport(after);
            round(takeovers, new Load(PER_SECOND, LONG, SHORT, WEB_SOCKETS, 0));
        }
    }

    @Test
    void connectionsOfTcpLiveOn() throws Exception {
        try (Takeovers takeovers = Takeovers.startWithTcp(folder, "auto")) {
            round(takeovers, new Load(PER_SECOND, LONG, SHORT, WEB_SOCKETS, TCP));
        }
    }

    /**
     * What clients do during a take-over.
     *
     * @param perSecond new connections a second
     * @param longRequests connections with slow requests
     * @param shortRequests connections with short requests
     * @param tcp connections of TCP; more than none only where the takeovers have a proxy server for them
     */
    record Load(int perSecond, int longRequests, int shortRequests, int webSockets, int tcp) {}

    /** A take-over under load. */
    @SuppressWarnings("try") // The load runs until it is closed.
    static void round(Takeovers takeovers, Load load) throws Exception {
        SigmaProcess before;
        Losses losses = takeovers.losses;
        int port = takeovers.port();
        try (NewConnections connections = NewConnections.start(port, load.perSecond, losses);
                KeptConnections slow = KeptConnections.start(KeptConnections.LONG, port, load.longRequests, losses);
                KeptConnections quick = KeptConnections.start(KeptConnections.SHORT, port, load.shortRequests, losses);
                WebSockets sockets = WebSockets.open(port, load.webSockets, losses);
                TcpConnections streams = TcpConnections.open(takeovers.tcpPort(), load.tcp, losses)) {
            sockets.exchange("before");
            long last = losses.served(LAST);
            before = takeovers.takeOver();
            sockets.exchange("after");
            assertThat(before.isAlive()).as("WebSockets live on in " + before).isTrue();
            long served = losses.served(NewConnections.EACH);
            // Each connection of the old process gets its last response, and more come.
            Await.until(
                    "all requests go to the new process",
                    () -> !losses.examples().isEmpty()
                            || (losses.served(LAST) >= last + load.longRequests + load.shortRequests
                                    && losses.served(NewConnections.EACH) > served + load.perSecond));
        }
        assertThat(before.exitCode()).as(before.output()).isZero();
        assertThat(losses.examples()).as(losses.toString()).isEmpty();
    }

    @Test
    @SuppressWarnings("try") // The load runs until it is closed, and WebSockets are closed before the end.
    void theOldOneGoesOnWhenTheNewOneDies() throws Exception {
        try (Takeovers takeovers = Takeovers.start(folder, "auto");
                WebSockets sockets = WebSockets.open(takeovers.port(), WEB_SOCKETS, takeovers.losses)) {
            SigmaProcess dies;
            try (NewConnections connections = NewConnections.start(takeovers.port(), PER_SECOND, takeovers.losses)) {
                dies = takeovers.start("--takeover");
                Await.until("it has the sockets", () -> dies.output().contains("Takes over from"));
                dies.kill();
                Await.until(
                        "the old one has noticed",
                        () -> takeovers.current().output().contains("goes on"));
                sockets.exchange("still here");
            }
            assertThat(takeovers.losses.examples())
                    .as(takeovers.losses.toString())
                    .isEmpty();
            SigmaProcess before = takeovers.takeOver();
            sockets.close();
            assertThat(before.exitCode()).as(before.output()).isZero();
        }
    }

    @Test
    void theNewOneServesWhenTheOldOneDies() throws Exception {
        try (Takeovers takeovers = Takeovers.start(folder, "auto")) {
            SigmaProcess next = takeovers.start("--takeover");
            Await.until("it has the sockets", () -> next.output().contains("Takes over from"));
            takeovers.become(next).kill();
            Takeovers.awaitServing(next);
            try (WebSockets sockets = WebSockets.open(takeovers.port(), WEB_SOCKETS, takeovers.losses)) {
                sockets.exchange("hello");
            }
            assertThat(takeovers.losses.examples())
                    .as(takeovers.losses.toString())
                    .isEmpty();
        }
    }
}
