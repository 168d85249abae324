package io.sigma.e2e.takeover;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code make takeover}: one take-over after the other, at a high rate of new connections. Prints what was served. */
class TakeoverRun {

    private static final int TAKEOVERS = Integer.getInteger("sigma.takeovers", 20);
    private static final int PER_SECOND = Integer.getInteger("sigma.connectionsPerSecond", 2_000);
    private static final int LONG = 200;
    private static final int SHORT = 50;
    private static final int WEB_SOCKETS = 50;
    private static final int TCP = 50;
    private static final String TRANSPORT = System.getProperty("sigma.transport", "auto");

    @TempDir
    Path folder;

    @Test
    void nothingIsLost() throws Exception {
        try (Takeovers takeovers = Takeovers.startWithTcp(folder, TRANSPORT)) {
            TakeoverTest.Load load = new TakeoverTest.Load(PER_SECOND, LONG, SHORT, WEB_SOCKETS, TCP);
            for (int i = 1; i <= TAKEOVERS; i++) {
                TakeoverTest.round(takeovers, load);
                System.out.println("take-over " + i + ": " + takeovers.losses + ", new connections waited (ms) "
                        + takeovers.losses.waits());
            }
        }
    }
}
