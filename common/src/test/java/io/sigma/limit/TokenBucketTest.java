package io.sigma.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TokenBucketTest {

    private final TokenBucket bucket = new TokenBucket(10, 100, 1_000);

    @Test
    void beginsFullAndRefillsEvenly() {
        assertThat(bucket.isFull(1_000)).isTrue();
        bucket.take(10, 1_000);
        assertThat(bucket.tokens(1_000)).isZero();
        assertThat(bucket.tokens(1_050)).isEqualTo(5);
        assertThat(bucket.isFull(1_099)).isFalse();
        assertThat(bucket.tokens(9_000)).isEqualTo(10);
    }

    @Test
    void clockThatGoesBackRefillsNothing() {
        bucket.take(10, 1_000);
        assertThat(bucket.tokens(1)).isZero();
    }

    @Test
    void whatIsLeftStays() {
        bucket.take(4, 1_000);
        bucket.take(4, 1_020);
        assertThat(bucket.tokens(1_020)).isEqualTo(4);
    }
}
