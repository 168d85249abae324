package io.sigma.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class SheddingAppenderTest {

    private final LoggerContext context = new LoggerContext();
    private final BlockableTarget target = new BlockableTarget();
    private final SheddingAppender appender = new SheddingAppender();

    @Test
    void writesEveryLineInOrderBeforeItStops() {
        Logger log = logger(100);
        for (int i = 0; i < 50; i++) {
            log.info("line {}", i);
        }
        appender.stop();
        assertThat(target.lines).hasSize(50).startsWith("line 0").endsWith("line 49");
    }

    @Test
    void shedsWithoutWaitingAndSaysHowMany() throws InterruptedException {
        target.gate = new CountDownLatch(1);
        Logger log = logger(2);
        log.info("first");
        assertThat(target.entered.await(10, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 10; i++) {
            log.info("line {}", i);
        }
        target.gate.countDown();
        appender.stop();
        assertThat(target.lines)
                .containsExactlyInAnyOrder(
                        "first", "line 0", "line 1", "8 log lines were shed, because more than 2 were waiting");
    }

    @Test
    void goesOnAfterAnErrorOfOneLine() {
        Logger log = logger(100);
        target.failing = "bad";
        log.info("bad");
        log.info("good");
        appender.stop();
        assertThat(target.lines).contains("good");
    }

    private Logger logger(int queueSize) {
        context.setMDCAdapter(new LogbackMDCAdapter());
        target.setContext(context);
        target.start();
        appender.setContext(context);
        appender.setQueueSize(queueSize);
        appender.addAppender(target);
        appender.start();
        Logger log = context.getLogger("test");
        log.addAppender(appender);
        return log;
    }

    private static final class BlockableTarget extends AppenderBase<ILoggingEvent> {

        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final CountDownLatch entered = new CountDownLatch(1);
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile String failing = "";

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getFormattedMessage().equals(failing)) {
                throw new StackOverflowError("of the test");
            }
            entered.countDown();
            try {
                if (!gate.await(10, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the gate stayed closed");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            lines.add(event.getFormattedMessage());
        }
    }
}
