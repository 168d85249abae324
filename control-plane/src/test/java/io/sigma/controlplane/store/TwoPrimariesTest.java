package io.sigma.controlplane.store;

import static io.sigma.controlplane.store.StoreFixture.server;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.testing.Eventually;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** After a standby was promoted while the old primary goes on taking writes: the promoted one is used. */
@Timeout(300)
final class TwoPrimariesTest extends StandbyContract {

    private boolean isAtThePromoted(StoreFixture fixture, String id, int port) {
        try {
            fixture.write(server(id, port));
        } catch (FailureException e) {
            return false;
        }
        return pair.querySecond("select id from proxy_servers").contains(id);
    }

    @Test
    void aControlPlaneThatStartsUsesThePromotedOne() throws Exception {
        try (StoreFixture fixture = open("one")) {
            fixture.write(server("a", 1));
        }
        pair.promote();
        try (StoreFixture fixture = open("two")) {
            fixture.write(server("b", 2));
            assertThat(pair.querySecond("select id from proxy_servers")).contains("a", "b");
            assertThat(pair.queryFirst("select id from proxy_servers")).containsExactly("a");
        }
    }

    /** Its connections to the old one work, so that nothing fails. */
    @Test
    void aControlPlaneThatRunsLeavesTheOldOne() throws Exception {
        try (StoreFixture fixture = open("one")) {
            fixture.write(server("a", 1));
            pair.promote();
            Eventually.holds("writes are at the promoted one", PATIENCE, () -> isAtThePromoted(fixture, "b", 2));
            assertThat(fixture.store().check()).containsEntry("database", Store.UP);
        }
    }

    @Test
    void theOldOneIsNotUsedAgainWhenThePromotedOneIsGone() throws Exception {
        try (StoreFixture fixture = open("one")) {
            fixture.write(server("a", 1));
            pair.promote();
            Eventually.holds("writes are at the promoted one", PATIENCE, () -> isAtThePromoted(fixture, "b", 2));
            pair.stopStandby();
            Eventually.holds(
                    "it is said",
                    PATIENCE,
                    () -> String.valueOf(fixture.store().check().get("database"))
                            .startsWith("DOWN"));
            for (int i = 0; i < 20; i++) {
                assertThat(isWritten(fixture)).isFalse();
                Thread.sleep(100);
            }
            assertThat(pair.queryFirst("select id from proxy_servers")).doesNotContain("c");
            assertThat(fixture.store().check())
                    .containsEntry("database", "DOWN: a server with an older history takes writes");
            pair.startStandby();
            Eventually.holds("a write is taken", PATIENCE, () -> isWritten(fixture));
            assertThat(pair.querySecond("select id from proxy_servers")).contains("a", "b", "c");
        }
    }

    private static boolean isWritten(StoreFixture fixture) {
        try {
            fixture.write(server("c", 3));
            return true;
        } catch (FailureException e) {
            return false;
        }
    }
}
