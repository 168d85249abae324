package io.sigma.e2e;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Sends one request after the other until it is closed, and keeps what went wrong. */
final class Traffic implements AutoCloseable {

    private final Thread thread;
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong answers = new AtomicLong();
    private volatile boolean running = true;

    private Traffic(Supplier<Http.Answer> request, long pauseMillis) {
        this.thread = Thread.ofPlatform().name("traffic").start(() -> run(request, pauseMillis));
    }

    static Traffic start(String url) {
        return start(url, 0);
    }

    /** As {@link #start(String)}, with a pause after each answer. */
    static Traffic start(String url, long pauseMillis) {
        return start(() -> Http.get(url), pauseMillis);
    }

    /**
     * As {@link #start(String, long)}, for any request, which throws {@link UncheckedIOException} when no answer came.
     */
    static Traffic start(Supplier<Http.Answer> request, long pauseMillis) {
        return new Traffic(request, pauseMillis);
    }

    private void run(Supplier<Http.Answer> request, long pauseMillis) {
        while (running) {
            if (pauseMillis > 0) {
                Await.pause(pauseMillis);
            }
            try {
                Http.Answer answer = request.get();
                if (answer.status() == 200) {
                    answers.incrementAndGet();
                } else {
                    failures.add(Instant.now() + " " + answer);
                }
            } catch (UncheckedIOException e) {
                failures.add(Instant.now() + " " + e);
            }
        }
    }

    long answers() {
        return answers.get();
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() {
        running = false;
        Await.ended(thread);
    }
}
