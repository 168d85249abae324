package io.sigma.controlplane.store;

import static io.sigma.controlplane.store.StoreFixture.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.store.vote.Ballot;
import io.sigma.controlplane.store.vote.Poll;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.model.GatewayVote;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Gateways withdraw the candidate of a write that is not committed, whatever ended the write. */
@Timeout(120)
final class WithdrawnWritesTest {

    @TempDir
    Path dir;

    private final List<String> ends = new ArrayList<>();

    private final class FailingPoll implements Poll {

        @Override
        public List<GatewayVote> votes() {
            throw new StackOverflowError("on purpose");
        }

        @Override
        public void committed() {
            ends.add("committed");
        }

        @Override
        public void withdrawn() {
            ends.add("withdrawn");
        }
    }

    @Test
    void aVoteThatEndsWithAnErrorIsWithdrawn() throws Exception {
        String url = TestDatabase.fresh();
        try (StoreFixture fixture = StoreFixture.deaf(TestSettings.of(dir, url))) {
            fixture.store().writer().ask(candidate -> new FailingPoll(), 1_000);
            assertThatThrownBy(() -> fixture.write(server("a", 1))).isInstanceOf(StackOverflowError.class);
            assertThat(ends).containsExactly("withdrawn");

            fixture.store().writer().ask(Ballot.NONE, 1_000);
            assertThat(fixture.write(server("b", 1)).revision()).isEqualTo(1);
            assertThat(TestDatabase.query(url, "select id from proxy_servers")).containsExactly("b");
        }
    }

    @Test
    void anErrorInTheAuditLogWithdrawsTheWrite() throws Exception {
        String url = TestDatabase.fresh();
        try (StoreFixture fixture = StoreFixture.deaf(TestSettings.of(dir, url))) {
            fixture.store()
                    .writer()
                    .ask(
                            candidate -> new Poll() {
                                @Override
                                public List<GatewayVote> votes() {
                                    return List.of();
                                }

                                @Override
                                public void committed() {
                                    ends.add("committed");
                                }

                                @Override
                                public void withdrawn() {
                                    ends.add("withdrawn");
                                }
                            },
                            1_000);
            TestDatabase.execute(url, "alter table audit_log rename to elsewhere");
            assertThatThrownBy(() -> fixture.write(server("a", 1))).isNotNull();
            assertThat(ends).containsExactly("withdrawn");
        }
    }
}
