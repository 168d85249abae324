package io.sigma.dataplane.engine.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LoopFlusherTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final LoopFlusher flusher = new LoopFlusher(channel.eventLoop());
    private final List<String> happened = new ArrayList<>();

    private LoopFlusher.Writer writer(String name, Runnable action) {
        return new LoopFlusher.Writer() {
            @Override
            public void flushNow() {
                happened.add(name);
                action.run();
            }

            @Override
            public void giveUp() {
                happened.add(name + " gave up");
            }
        };
    }

    @Test
    void writerThatFailsIsClosedAndKeepsNoOtherFromBeingSent() {
        flusher.add(writer("failing", () -> {
            throw new OutOfMemoryError("direct");
        }));
        flusher.add(writer("next", () -> {}));
        channel.runPendingTasks();
        assertThat(happened).containsExactly("failing", "failing gave up", "next");
        flusher.add(writer("later", () -> {}));
        channel.runPendingTasks();
        assertThat(happened).endsWith("later");
    }

    @Test
    void whatIsAddedMeanwhileIsSentInTheNextTurn() {
        flusher.add(writer("first", () -> flusher.add(writer("added", () -> {}))));
        channel.runPendingTasks();
        assertThat(happened).containsExactly("first", "added");
    }
}
