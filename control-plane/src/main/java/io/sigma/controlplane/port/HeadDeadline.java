package io.sigma.controlplane.port;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose head does not become complete in time, and one that is idle for too long between requests.
 * Bytes that trickle in do not extend the time. Confined to the connection's event loop, but for {@link #begun} and
 * {@link #ended}.
 */
final class HeadDeadline extends ChannelInboundHandlerAdapter {

    private enum State {
        HEAD,
        EXCHANGE,
        IDLE
    }

    private final Duration head;
    private final Duration idle;
    private final Consumer<Channel> closed;
    private volatile @Nullable ChannelHandlerContext context;
    private State state = State.HEAD;
    private boolean counted;
    private @Nullable Future<?> timer;

    /** @param closed called when the connection is closed */
    HeadDeadline(Duration head, Duration idle, Consumer<Channel> closed) {
        this.head = head;
        this.idle = idle;
        this.closed = closed;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        added.channel().closeFuture().addListener(any -> closed());
        enter(State.HEAD);
    }

    private void closed() {
        cancel();
        ChannelHandlerContext own = context;
        if (own != null) {
            closed.accept(own.channel());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        counted = counted || PipelineLimit.addTo(reading.pipeline());
        if (state == State.IDLE) {
            enter(State.HEAD);
        }
        reading.fireChannelRead(message);
    }

    /** The head of a request is complete. */
    void begun() {
        later(State.EXCHANGE);
    }

    /** The request is answered. */
    void ended() {
        later(State.IDLE);
    }

    private void later(State next) {
        ChannelHandlerContext own = context;
        if (own != null) {
            own.executor().execute(() -> enter(next));
        }
    }

    private void enter(State next) {
        cancel();
        state = next;
        ChannelHandlerContext own = context;
        if (own == null || next == State.EXCHANGE || !own.channel().isOpen()) {
            return;
        }
        Duration time = next == State.HEAD ? head : idle;
        timer = own.executor().schedule(() -> own.channel().close(), time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void cancel() {
        Future<?> running = timer;
        if (running != null) {
            running.cancel(false);
            timer = null;
        }
    }
}
