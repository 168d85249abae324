package io.sigma.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Writes log lines on a thread of its own. The queue to it is bounded and nobody ever waits for room in it: lines
 * beyond are shed, and their number is logged. (Logback's own asynchronous appender either blocks or sheds in silence.)
 */
public final class SheddingAppender extends UnsynchronizedAppenderBase<ILoggingEvent>
        implements AppenderAttachable<ILoggingEvent> {

    private static final Duration FLUSH_WAIT = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(1);

    private final AppenderAttachableImpl<ILoggingEvent> targets = new AppenderAttachableImpl<>();
    private final LongAdder shed = new LongAdder();
    private int queueSize = 8192;
    // Replaced at start, before any event arrives.
    private BlockingQueue<ILoggingEvent> queue = new ArrayBlockingQueue<>(1);
    private @Nullable Thread writer;
    // Confined to the writer.
    private long nextReportNanos = System.nanoTime();

    /** Sets how many lines may wait; called by logback when it reads its configuration. */
    public void setQueueSize(int queueSize) {
        this.queueSize = queueSize;
    }

    /** Returns how many lines may wait. */
    int queueSize() {
        return queueSize;
    }

    @Override
    public void start() {
        queue = new ArrayBlockingQueue<>(queueSize);
        super.start();
        writer = Thread.ofPlatform().daemon().name("sigma-log").start(this::write);
    }

    @Override
    protected void append(ILoggingEvent event) {
        // Names and arguments of now, not of when it is written.
        event.prepareForDeferredProcessing();
        if (!queue.offer(event)) {
            shed.increment();
        }
    }

    private void write() {
        try {
            while (isStarted() || !queue.isEmpty()) {
                ILoggingEvent event = queue.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
                write(event);
            }
            reportShed();
        } catch (InterruptedException e) {
            addWarn("the log writer was interrupted with " + queue.size() + " lines waiting");
        }
    }

    /** Writes a line. What goes wrong with it, errors too, keeps no later one from being written. */
    private void write(@Nullable ILoggingEvent event) {
        try {
            if (event != null) {
                targets.appendLoopOnAppenders(event);
            }
            if (System.nanoTime() - nextReportNanos >= 0) {
                nextReportNanos = System.nanoTime() + REPORT_INTERVAL.toNanos();
                reportShed();
            }
        } catch (RuntimeException | Error e) {
            addError("a log line could not be written", e);
        }
    }

    private void reportShed() {
        long lines = shed.sumThenReset();
        if (lines > 0 && getContext() instanceof LoggerContext context) {
            LoggingEvent event = new LoggingEvent();
            event.setLoggerContext(context);
            event.setLoggerName(SheddingAppender.class.getName());
            event.setThreadName(Thread.currentThread().getName());
            event.setLevel(Level.WARN);
            event.setInstant(Instant.now());
            event.setMessage(lines + " log lines were shed, because more than " + queueSize + " were waiting");
            targets.appendLoopOnAppenders(event);
        }
    }

    /** Writes what waits, for at most two seconds. */
    @Override
    public void stop() {
        if (!isStarted()) {
            return;
        }
        super.stop();
        Thread thread = writer;
        try {
            if (thread != null && !thread.join(FLUSH_WAIT)) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        targets.detachAndStopAllAppenders();
    }

    @Override
    public void addAppender(Appender<ILoggingEvent> appender) {
        targets.addAppender(appender);
    }

    @Override
    public Iterator<Appender<ILoggingEvent>> iteratorForAppenders() {
        return targets.iteratorForAppenders();
    }

    @Override
    public @Nullable Appender<ILoggingEvent> getAppender(String name) {
        return targets.getAppender(name);
    }

    @Override
    public boolean isAttached(Appender<ILoggingEvent> appender) {
        return targets.isAttached(appender);
    }

    @Override
    public void detachAndStopAllAppenders() {
        targets.detachAndStopAllAppenders();
    }

    @Override
    public boolean detachAppender(Appender<ILoggingEvent> appender) {
        return targets.detachAppender(appender);
    }

    @Override
    public boolean detachAppender(String name) {
        return targets.detachAppender(name);
    }
}
