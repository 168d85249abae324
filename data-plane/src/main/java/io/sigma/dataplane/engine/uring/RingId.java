package io.sigma.dataplane.engine.uring;

import io.netty.channel.ChannelId;
import java.util.concurrent.atomic.AtomicLong;

/** Names a connection in logs. */
record RingId(long number) implements ChannelId {

    private static final long serialVersionUID = 1L;
    private static final AtomicLong LAST = new AtomicLong();

    static RingId next() {
        return new RingId(LAST.incrementAndGet());
    }

    @Override
    public String asShortText() {
        return Long.toHexString(number);
    }

    @Override
    public String asLongText() {
        return "ring-" + asShortText();
    }

    @Override
    public int compareTo(ChannelId other) {
        return other instanceof RingId known
                ? Long.compare(number, known.number)
                : asLongText().compareTo(other.asLongText());
    }
}
