package io.sigma.dataplane.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SocketsOfProcessTest {

    private static final long MIB = 1024 * 1024;

    @Test
    void smallHeapHasFewerSocketsThanDescriptors() {
        assertThat(SocketBudget.sockets(1_000_000, 128 * MIB)).isEqualTo(16_384);
        assertThat(SocketBudget.sockets(1_000_000, 1024 * MIB)).isEqualTo(131_072);
        assertThat(SocketBudget.sockets(900, 128 * MIB)).isEqualTo(900);
        assertThat(SocketBudget.sockets(-5, 128 * MIB)).isEqualTo(8);
    }
}
