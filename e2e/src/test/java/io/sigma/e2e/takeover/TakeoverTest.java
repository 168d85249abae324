package io.sigma.e2e.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.e2e.Await;
import io.sigma.e2e.SigmaProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code sigma gateway --takeover}, with real processes. {@code make takeover} does the same twenty times. */
class TakeoverTest {

    private static final int PER_SECOND = Integer.getInteger("sigma.connectionsPerSecond", 200);
    private static final int LONG = 10;
    private static final int WEB_SOCKETS = 5;
    private static final int TCP = 5;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"io_uring, epoll", "epoll, io_uring"})
    void noConnectionIsLost(String before, String after) throws Exception {
        try (Takeovers takeovers = Takeovers.start(folder, before)) {
            takeovers.transport(after);
            round(takeovers, PER_SECOND, LONG, WEB_SOCKETS, 0);
        }
    }

    @Test
    void connectionsOfTcpLiveOn() throws Exception {
        try (Takeovers takeovers = Takeovers.startWithTcp(folder, "auto")) {
            round(takeovers, PER_SECOND, LONG, WEB_SOCKETS, TCP);
        }
    }

    /**
     * A take-over under load.
     *
     * @param tcp connections of TCP; more than none only where the takeovers have a proxy server for them
     */
    @SuppressWarnings("try") // The load runs until it is closed.
    static void round(Takeovers takeovers, int perSecond, int longRequests, int webSockets, int tcp) throws Exception {
        SigmaProcess before;
        try (NewConnections connections = NewConnections.start(takeovers.port(), perSecond, takeovers.losses);
                LongRequests requests = LongRequests.start(takeovers.port(), longRequests, takeovers.losses);
                WebSockets sockets = WebSockets.open(takeovers.port(), webSockets, takeovers.losses);
                TcpConnections streams = TcpConnections.open(takeovers.tcpPort(), tcp, takeovers.losses)) {
            sockets.exchange("before");
            before = takeovers.takeOver();
            sockets.exchange("after");
            assertThat(before.isAlive()).as("WebSockets live on in " + before).isTrue();
            long served = takeovers.losses.served();
            Await.until("more was served", () -> takeovers.losses.served() > served + perSecond);
        }
        assertThat(before.exitCode()).as(before.output()).isZero();
        assertThat(takeovers.losses.examples()).as(takeovers.losses.toString()).isEmpty();
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
