package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RetryBudgetTest {

    private static final long SECOND = 1_000_000_000L;

    private static int retries(RetryBudget budget, int loop, long now, int wanted) {
        int granted = 0;
        for (int i = 0; i < wanted; i++) {
            if (budget.tryRetry(loop, now)) {
                budget.retryEnded(loop);
                granted++;
            }
        }
        return granted;
    }

    @Test
    void retriesAreAShareOfTheRequests() {
        RetryBudget budget = new RetryBudget(20, 0, 100, 1, 0);
        int granted = 0;
        for (int i = 0; i < 1000; i++) {
            budget.requested(0);
            granted += retries(budget, 0, 0, 1);
        }
        assertThat(granted).isBetween(199, 200);
    }

    @Test
    void fewRequestsMayRetryToo() {
        RetryBudget budget = new RetryBudget(20, 10, 100, 1, 0);
        assertThat(retries(budget, 0, 0, 100)).isEqualTo(10);
        assertThat(retries(budget, 0, SECOND, 100)).isEqualTo(10);
        assertThat(retries(budget, 0, SECOND, 100)).isZero();
    }

    @Test
    void whatIsNotUsedIsNotSavedForLong() {
        RetryBudget budget = new RetryBudget(20, 10, 100, 1, 0);
        assertThat(retries(budget, 0, 3600 * SECOND, 1000)).isEqualTo(110);
    }

    @Test
    void retriesInProgressAreBounded() {
        RetryBudget budget = new RetryBudget(100, 1000, 3, 1, 0);
        assertThat(budget.tryRetry(0, 0)).isTrue();
        assertThat(budget.tryRetry(0, 0)).isTrue();
        assertThat(budget.tryRetry(0, 0)).isTrue();
        assertThat(budget.tryRetry(0, 0)).isFalse();
        budget.retryEnded(0);
        assertThat(budget.tryRetry(0, 0)).isTrue();
    }

    @Test
    void aBudgetOfNothingGrantsNothing() {
        RetryBudget budget = new RetryBudget(0, 0, 10, 2, 0);
        budget.requested(1);
        assertThat(retries(budget, 1, 100 * SECOND, 5)).isZero();
    }
}
