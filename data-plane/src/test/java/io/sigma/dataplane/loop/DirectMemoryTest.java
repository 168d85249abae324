package io.sigma.dataplane.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DirectMemoryTest {

    private static final String MAX = "io.netty.maxDirectMemory";

    private final @Nullable String before = System.getProperty(MAX);

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(MAX);
        } else {
            System.setProperty(MAX, before);
        }
    }

    @Test
    void nettyRefusesBuffersBeforeTheJvmHasNoMemoryForThem() {
        System.clearProperty(MAX);
        DirectMemory.refuseEarly();
        assertThat(Long.getLong(MAX)).isBetween(1L, Runtime.getRuntime().maxMemory() / 8 * 7 + 8);
    }

    @Test
    void whatTheOperatorSaysStays() {
        System.setProperty(MAX, "1234");
        DirectMemory.refuseEarly();
        assertThat(System.getProperty(MAX)).isEqualTo("1234");
    }
}
