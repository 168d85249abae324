package io.sigma.cli.process;

import ch.qos.logback.classic.LoggerContext;
import io.sigma.cli.input.ExitCode;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a process running until it is told to stop (SIGTERM, Ctrl-C), and then stops it within a bound. */
public final class UntilStopped {

    private static final Logger log = LoggerFactory.getLogger(UntilStopped.class);
    /** For everything but the requests that run. */
    private static final Duration STOP_WAIT = Duration.ofSeconds(30);

    private UntilStopped() {}

    /**
     * Starts a process and returns only when it cannot be started. Once it runs, the JVM ends with exit code 0 when it
     * could be closed in time, else with 1. A signal that arrives while it starts, or while it stops, ends the JVM at
     * once.
     *
     * @param requestMillis how long requests may go on after the signal, which comes on top of the bound; 0 for a
     *     process that has none
     */
    static int run(int requestMillis, Callable<AutoCloseable> start) throws Exception {
        Duration longest = STOP_WAIT.plusMillis(requestMillis);
        AutoCloseable process = start.call();
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("sigma-stop").unstarted(() -> {
                    SecondSignal.endsAtOnce();
                    int exitCode = stop(process, longest);
                    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
                        context.stop();
                    }
                    // Else the JVM would say 143, as if it had not been stopped in order.
                    Runtime.getRuntime().halt(exitCode);
                }));
        new CountDownLatch(1).await();
        return ExitCode.DONE;
    }

    private static int stop(AutoCloseable process, Duration longest) {
        CountDownLatch stopped = new CountDownLatch(1);
        Thread closer = Thread.ofPlatform().daemon().name("sigma-close").start(() -> {
            try {
                process.close();
                stopped.countDown();
            } catch (Throwable e) {
                log.error("could not be stopped properly", e);
            }
        });
        try {
            if (closer.join(longest) && stopped.getCount() == 0) {
                log.info("stopped");
                return ExitCode.DONE;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        log.error("not stopped within {}", longest);
        return ExitCode.FAILED;
    }
}
