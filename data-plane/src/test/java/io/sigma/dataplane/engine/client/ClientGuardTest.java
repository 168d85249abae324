package io.sigma.dataplane.engine.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.loop.Loop;
import io.sigma.model.ServerLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ClientGuardTest {

    private static final int NEVER = 600_000;

    private final ArrayDeque<Runnable> ticks = new ArrayDeque<>();
    /** The clock of the test. */
    private long nowMillis;

    private final Deadlines deadlines = new Deadlines(
            new Loop.Scheduler() {
                @Override
                public void execute(Runnable task) {
                    task.run();
                }

                @Override
                public void afterInput(Runnable task) {
                    task.run();
                }

                @Override
                public void schedule(Runnable task, long millis) {
                    ticks.add(task);
                }
            },
            () -> TimeUnit.MILLISECONDS.toNanos(nowMillis),
            1);

    private ClientGuard guard(int idleMillis, int headMillis) {
        ServerLimits limits = ServerLimits.builder()
                .idleTimeoutMillis(idleMillis)
                .headTimeoutMillis(headMillis)
                .build();
        return new ClientGuard(deadlines, () -> limits);
    }

    private EmbeddedChannel channel(ClientGuard guard) {
        return new EmbeddedChannel(guard);
    }

    private static void receive(EmbeddedChannel channel, String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
        channel.releaseInbound();
    }

    private void pass(long millis) {
        nowMillis += millis;
        Runnable tick = ticks.poll();
        if (tick != null) {
            tick.run();
        }
    }

    @Test
    void headThatDoesNotBecomeCompleteIsAnswered408() {
        EmbeddedChannel channel = channel(guard(NEVER, 20));
        receive(channel, "GET / HT");
        pass(10);
        assertThat(channel.isOpen()).isTrue();
        receive(channel, "TP/1.1\r\nX");
        pass(20);
        ByteBuf answer = channel.readOutbound();
        String text = answer.toString(StandardCharsets.US_ASCII);
        assertThat(text).startsWith("HTTP/1.1 408 ").contains("Content-Length: 44\r\n");
        assertThat(text.substring(text.indexOf("\r\n\r\n") + 4)).hasSize(44);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void completeHeadStopsTheClock() {
        ClientGuard guard = guard(NEVER, 5);
        EmbeddedChannel channel = channel(guard);
        receive(channel, "GET / HTTP/1.1\r\n\r\n");
        guard.exchangeBegun();
        receive(channel, "body");
        pass(20);
        assertThat(channel.isOpen()).isTrue();
        guard.exchangeEnded();
        receive(channel, "GET");
        pass(20);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void connectionWithoutAByteIsClosed() {
        EmbeddedChannel channel = channel(guard(10, NEVER));
        pass(20);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void connectionThatWaitsForItsNodeIsNotIdle() {
        ClientGuard guard = guard(10, NEVER);
        EmbeddedChannel channel = channel(guard);
        guard.exchangeBegun();
        guard.waitBegun();
        pass(20);
        assertThat(channel.isOpen()).isTrue();
        guard.waitEnded();
        pass(20);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void http2FramesAreNoHeads() {
        ClientGuard guard = guard(NEVER, 5);
        EmbeddedChannel channel = channel(guard);
        receive(channel, "PRI * HTTP/2.0");
        guard.noHeads();
        receive(channel, "frames");
        pass(20);
        assertThat(channel.isOpen()).isTrue();
    }
}
