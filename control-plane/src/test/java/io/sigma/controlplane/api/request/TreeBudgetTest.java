package io.sigma.controlplane.api.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A small text does not become a tree without bound: {@code []} takes 30 times as much memory as it has bytes. */
final class TreeBudgetTest {

    private static final long MAX = 4 * 1024 * 1024;

    private final TreeBudget budget = new TreeBudget(MAX);

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "0", "\"\"", "{\"a\":0}"})
    void manyValuesAreNotReadToTheirEnd(String value) {
        for (boolean yaml : new boolean[] {false, true}) {
            try (TreeBudget.Share share = budget.begin()) {
                assertThatThrownBy(() -> Bodies.parse(list(value, 200_000), yaml, share))
                        .isInstanceOfSatisfying(
                                FailureException.class,
                                e -> assertThat(e.failure()).isInstanceOf(Failure.TooManyValues.class));
                assertThat(budget.held()).isLessThanOrEqualTo(MAX);
            }
            assertThat(budget.held()).isZero();
        }
    }

    @Test
    void treesOfOthersCountUntilTheirRequestsAreOver() {
        try (TreeBudget.Share small = budget.begin()) {
            TreeBudget.Share large = budget.begin();
            Bodies.parse(list("[]", 40_000), false, large);

            assertThatThrownBy(() -> Bodies.parse(list("[]", 20_000), false, small))
                    .isInstanceOfSatisfying(
                            FailureException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.Unavailable.class));

            large.close();
        }
        try (TreeBudget.Share again = budget.begin()) {
            assertThat(Bodies.parse(list("[]", 20_000), false, again).path("a")).hasSize(20_000);
        }
    }

    @Test
    void aSmallBodyHasRoomWhileOthersTakeAll() {
        TreeBudget none = new TreeBudget(0);

        assertThat(Bodies.parse("{\"name\":\"admin\"}".getBytes(StandardCharsets.UTF_8), false, none.begin())
                        .path("name")
                        .textValue())
                .isEqualTo("admin");
    }

    private static byte[] list(String value, int times) {
        return ("{\"a\":[" + String.join(",", Collections.nCopies(times, value)) + "]}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
