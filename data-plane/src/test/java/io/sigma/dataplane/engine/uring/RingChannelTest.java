package io.sigma.dataplane.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.uring.IoUring;
import org.junit.jupiter.api.Test;

final class RingChannelTest {

    @Test
    void whatItNeedsOfNettyIsThere() {
        assumeTrue(IoUring.isAvailable());
        assertThat(RingChannel.isAvailable()).isTrue();
    }
}
