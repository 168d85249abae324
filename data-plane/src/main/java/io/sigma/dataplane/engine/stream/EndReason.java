package io.sigma.dataplane.engine.stream;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.sigma.dataplane.engine.http1.RawEnd;
import io.sigma.dataplane.exchange.StreamEnd;
import org.jspecify.annotations.Nullable;

/** Why a connection ends: what is said first holds. Confined to the event loop. */
final class EndReason {

    private @Nullable StreamEnd said;
    /** When the connection is to be over, by {@link System#nanoTime}; 0 for never. */
    private long drainedNanos;

    /** Returns whether this is the first that is said. */
    boolean say(StreamEnd why) {
        if (said != null) {
            return false;
        }
        said = why;
        return true;
    }

    /** Says that a side is gone, which is a drain once it is time for that. */
    void sayGone(StreamEnd why, long nowNanos) {
        say(drainedNanos != 0 && nowNanos - drainedNanos >= 0 ? StreamEnd.DRAINED : why);
    }

    void drainAt(long nanos) {
        drainedNanos = Math.max(1, nanos);
    }

    boolean isSaid() {
        return said != null;
    }

    StreamEnd orElse(StreamEnd otherwise) {
        return said == null ? otherwise : said;
    }

    /** Returns whether both directions may end at once without a reset, as those of TLS do (RFC 8446 §6.1). */
    static boolean mayEndAtOnce(Channel channel) {
        return channel.pipeline().get(SslHandler.class) != null;
    }

    /** The other side gets a reset too. Otherwise incomplete data would look complete. */
    void resetAtClose(RawEnd other) {
        if (said != StreamEnd.DRAINED) {
            other.resetAtClose();
        }
    }
}
