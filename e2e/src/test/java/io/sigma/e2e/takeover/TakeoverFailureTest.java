package io.sigma.e2e.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.e2e.Await;
import io.sigma.e2e.SigmaProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong in a take-over is the trouble of the process that it happens to, and clients miss nothing. */
class TakeoverFailureTest {

    private static final int PER_SECOND = 50;

    @TempDir
    Path folder;

    private static void assertNothingIsLost(Takeovers takeovers) {
        assertThat(takeovers.losses.examples()).as(takeovers.losses.toString()).isEmpty();
    }

    private static void awaitMore(Takeovers takeovers) {
        long served = takeovers.losses.served(NewConnections.EACH);
        Await.until(
                "more is served",
                () -> takeovers.losses.served(NewConnections.EACH) > served + PER_SECOND
                        || !takeovers.losses.examples().isEmpty());
    }

    @Test
    @SuppressWarnings("try") // The load runs until it is closed.
    void successorWhosePortIsTakenEndsAndTheFirstOneGoesOn() throws Exception {
        try (Takeovers takeovers = Takeovers.start(folder, "auto");
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                NewConnections load = NewConnections.start(takeovers.port(), PER_SECOND, takeovers.losses)) {
            SigmaProcess fails = takeovers
                    .command("--takeover")
                    .with("SIGMA_TELEMETRY_PORT", taken.getLocalPort())
                    .start();
            assertThat(fails.exitCode()).as(fails.output()).isNotZero();
            assertThat(fails.output()).contains(String.valueOf(taken.getLocalPort()));
            awaitMore(takeovers);
            assertThat(takeovers.takeOver().exitCode()).isZero();
            awaitMore(takeovers);
            load.close();
            assertNothingIsLost(takeovers);
        }
    }

    @Test
    void secondSuccessorIsRefusedAndTheFirstOneTakesOver() throws Exception {
        try (Takeovers takeovers = Takeovers.start(folder, "auto")) {
            SigmaProcess next = takeovers.start("--takeover");
            Await.until("it has the sockets", () -> next.output().contains("Takes over from"));
            SigmaProcess second = takeovers.start("--takeover");
            assertThat(second.exitCode()).as(second.output()).isNotZero();
            assertThat(second.output()).contains("another process takes its place");
            Takeovers.awaitServing(next);
            assertThat(takeovers.become(next).exitCode()).isZero();
            assertThat(takeovers.takeOver().exitCode()).isZero();
        }
    }

    /** The sockets are those of both processes by then. */
    @Test
    @SuppressWarnings("try") // The load runs until it is closed.
    void successorServesWhenTheFirstOneIsToldToEnd() throws Exception {
        try (Takeovers takeovers = Takeovers.start(folder, "auto");
                NewConnections load = NewConnections.start(takeovers.port(), PER_SECOND, takeovers.losses)) {
            SigmaProcess next = takeovers.start("--takeover");
            Await.until("it has the sockets", () -> next.output().contains("Takes over from"));
            takeovers.become(next).terminate();
            Takeovers.awaitServing(next);
            awaitMore(takeovers);
            load.close();
            assertNothingIsLost(takeovers);
        }
    }

    @Test
    @SuppressWarnings("try") // The load runs until it is closed.
    void successorGoesOnWhenTheFirstOneIsKilledWhileItsConnectionsEnd() throws Exception {
        try (Takeovers takeovers = Takeovers.start(folder, "auto");
                WebSockets sockets = WebSockets.open(takeovers.port(), 1, takeovers.losses)) {
            SigmaProcess before = takeovers.takeOver();
            assertThat(before.isAlive()).isTrue();
            try (NewConnections load = NewConnections.start(takeovers.port(), PER_SECOND, takeovers.losses)) {
                awaitMore(takeovers);
                // None of the new connections are its own.
                before.kill();
                awaitMore(takeovers);
            }
            assertNothingIsLost(takeovers);
            assertThat(takeovers.takeOver().exitCode()).isZero();
        }
    }

    @Test
    void gatewayStartsAgainWhenTheSuccessorDiesWhileTheFirstOneEndsItsConnections() throws Exception {
        try (Takeovers takeovers = Takeovers.start(folder, "auto");
                WebSockets sockets = WebSockets.open(takeovers.port(), 1, takeovers.losses)) {
            SigmaProcess before = takeovers.takeOver();
            takeovers.current().kill();
            takeovers.takeOver();
            sockets.exchange("still here");
            try (WebSockets more = WebSockets.open(takeovers.port(), 1, takeovers.losses)) {
                more.exchange("hello");
            }
            assertNothingIsLost(takeovers);
            before.kill();
        }
    }

    @Test
    @SuppressWarnings("try") // The load runs until it is closed.
    void takeoverGoesOnWithoutItsControlPlane() throws Exception {
        try (Takeovers takeovers = Takeovers.startWithTcp(folder, "auto");
                NewConnections load = NewConnections.start(takeovers.port(), PER_SECOND, takeovers.losses)) {
            Await.until(
                    "the revision is on disk",
                    () -> takeovers.current().output().contains("is served, and on disk"));
            takeovers.controlPlane().kill();
            for (int i = 0; i < 2; i++) {
                assertThat(takeovers.takeOver().exitCode()).isZero();
                awaitMore(takeovers);
            }
            load.close();
            assertNothingIsLost(takeovers);
        }
    }

    @Test
    @SuppressWarnings("try") // The load runs until it is closed.
    void takeoverGoesOnWhileTheConfigurationChanges() throws Exception {
        try (Takeovers takeovers = Takeovers.startWithTcp(folder, "auto");
                NewConnections load = NewConnections.start(takeovers.port(), PER_SECOND, takeovers.losses)) {
            AtomicBoolean changes = new AtomicBoolean(true);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread changing = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; changes.get(); i++) {
                        takeovers.controlPlane().admin().put("/proxy-passes/change", """
                                {"upstreamId":"node","description":"%d"}""".formatted(i));
                        Await.pause();
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            SigmaProcess before = takeovers.takeOver();
            changes.set(false);
            changing.join();
            assertThat(failure.get()).isNull();
            assertThat(before.exitCode()).isZero();
            awaitMore(takeovers);
            load.close();
            assertNothingIsLost(takeovers);
        }
    }

    @Test
    void folderOfNobodyIsServedAsUsual() throws Exception {
        try (Takeovers takeovers = Takeovers.start(folder, "auto")) {
            SigmaProcess elsewhere = takeovers
                    .command("--takeover")
                    .with("SIGMA_DATA_DIR", Files.createDirectories(folder.resolve("elsewhere")))
                    .start();
            assertThat(elsewhere.exitCode()).as(elsewhere.output()).isNotZero();
            assertThat(elsewhere.output()).contains("there is nothing to take over");
            assertThat(takeovers.takeOver().exitCode()).isZero();
        }
    }
}
