package io.sigma.dataplane.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FileLimitWarningTest {

    @Test
    void lowLimitIsNamedWithTheOneThatIsExpected() {
        assertThat(SocketBudget.tooFew(256, 190))
                .contains("open files is 256 (expected: at least 318): it leaves 66 connections");
    }

    @Test
    void limitBelowWhatIsOpenLeavesTheLeast() {
        assertThat(SocketBudget.tooFew(128, 190)).contains("it leaves 8 connections");
    }

    @Test
    void limitThatServesIsNotMentioned() {
        assertThat(SocketBudget.tooFew(1024, 190)).isNull();
    }
}
