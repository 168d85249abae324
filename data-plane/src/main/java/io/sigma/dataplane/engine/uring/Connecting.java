package io.sigma.dataplane.engine.uring;

import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.unix.Socket;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An attempt to connect. Confined to the event loop. */
final class Connecting {

    /** Hears that it failed. */
    interface Failed {
        void onFailed(ChannelPromise promise, SocketAddress to, Throwable cause);
    }

    private final RingChannel channel;
    private final SocketAddress to;
    private final ChannelPromise promise;
    private final Failed failed;
    private final Socket socket;
    private @Nullable ScheduledFuture<?> timeout;
    private long awaiting;

    Connecting(RingChannel channel, SocketAddress to, ChannelPromise promise, Failed failed) {
        this.channel = channel;
        this.to = to;
        this.promise = promise;
        this.failed = failed;
        this.socket = channel.socket();
    }

    /** @throws IOException when it fails at once */
    void begin() throws IOException {
        if (socket.connect(to)) {
            channel.onConnected(to, promise);
            return;
        }
        int millis = channel.config().getConnectTimeoutMillis();
        if (millis > 0) {
            timeout = channel.eventLoop().schedule(() -> onTimeout(millis), millis, TimeUnit.MILLISECONDS);
        }
        await();
    }

    private void await() {
        awaiting = channel.submit(RingOps.pollWritable(channel.fd()));
    }

    private void onTimeout(int millis) {
        ended();
        fail(new ConnectTimeoutException("connection timed out after " + millis + " ms: " + to));
        channel.unsafe().close(channel.voidPromise());
    }

    /** It has come to an end, or nearly. */
    void onReady() {
        awaiting = 0;
        try {
            if (!socket.finishConnect()) {
                await();
                return;
            }
        } catch (IOException e) {
            ended();
            fail(e);
            return;
        }
        ended();
        channel.onConnected(to, promise);
    }

    /** The channel is closed. */
    void close() {
        ended();
        promise.tryFailure(new ClosedChannelException());
    }

    private void fail(IOException cause) {
        failed.onFailed(promise, to, cause);
    }

    private void ended() {
        if (timeout != null) {
            timeout.cancel(false);
        }
        if (awaiting != 0) {
            channel.submit(RingOps.cancel(awaiting));
            awaiting = 0;
        }
    }
}
