package io.sigma.controlplane.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.model.Finding;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class AnalystTest {

    private static final String SERVER = "{'proxyServers':[{'id':'web','port':80}]}";
    private static final String CHAIN =
            TestCertificate.create("a.example.com").chain().replace("\n", "\\n");

    private final Log log = new Log();

    // While it is broken the rules for certificates fail, in the middle of an update.
    private volatile boolean broken;
    private final Analyst analyst = new Analyst(log, this::now);

    private volatile boolean error;

    private Instant now() {
        if (error) {
            throw new StackOverflowError("on purpose");
        }
        return broken ? nothing() : Configs.NOW;
    }

    @SuppressWarnings("NullAway")
    private static Instant nothing() {
        return null;
    }

    @AfterEach
    void close() {
        analyst.close();
    }

    /** Revisions that the test makes. */
    private static final class Log implements RevisionLog {

        private volatile Snapshot current = Snapshot.NONE;
        private volatile List<EntityChange> changes = List.of();
        private Consumer<Snapshot> listener = snapshot -> {};

        void advance(ConfigState state) {
            Snapshot before = current;
            changes = changes(before.state(), state);
            current = Snapshot.of(before.revision() + 1, state);
            listener.accept(current);
        }

        @Override
        public Snapshot current() {
            return current;
        }

        @Override
        public void onAdvance(Consumer<Snapshot> added) {
            listener = added;
        }

        @Override
        public @Nullable List<EntityChange> changesSince(long revision, StateHash hash, long toRevision) {
            return revision + 1 == toRevision ? changes : null;
        }
    }

    private static List<EntityChange> changes(ConfigState from, ConfigState to) {
        return StateChange.between(from, to).stream()
                .map(change -> new EntityChange(change.type().kind(), change.id(), change.after()))
                .toList();
    }

    private static ConfigState withCertificate(ConfigState state) {
        return Configs.with(
                state,
                "{'certificates':[{'id':'c','chain':'" + CHAIN
                        + "'}],'upstreams':[{'id':'u','nodes':[{'url':'http://10.0.0.1'}]}]}");
    }

    private List<Finding> findings() throws Exception {
        return analyst.view().await(20, TimeUnit.SECONDS).findings();
    }

    @Test
    void whatFailsIsToldAndTheNextRevisionIsAnalysedAnew() throws Exception {
        ConfigState first = Configs.state(SERVER);
        log.advance(first);
        analyst.start();
        assertThat(findings()).isEqualTo(Configs.analyse(first));

        broken = true;
        log.advance(withCertificate(first));

        assertThat(analyst.newWith(2, Duration.ofSeconds(20)).await(30, TimeUnit.SECONDS))
                .isNull();
        assertUnavailable();
        broken = false;
        ConfigState third = Configs.with(withCertificate(first), "{'routers':[{'id':'r','proxyServerId':'web'}]}");
        log.advance(third);
        assertThat(findings()).isEqualTo(Configs.analyse(third));
        ConfigState fourth = Configs.with(third, "{'upstreams':[{'id':'v','nodes':[{'url':'http://10.0.0.2'}]}]}");
        log.advance(fourth);
        assertThat(analyst.newWith(4, Duration.ofSeconds(20)).await(30, TimeUnit.SECONDS))
                .extracting(Configs::text)
                .containsExactly("v ");
    }

    /** Half of what changed was taken in: the next revision is not looked at upon that. */
    @Test
    void whatAnErrorEndedIsAnalysedAnew() throws Exception {
        ConfigState first = Configs.state(SERVER);
        log.advance(first);
        analyst.start();
        assertThat(findings()).isEqualTo(Configs.analyse(first));

        error = true;
        log.advance(withCertificate(first));

        assertUnavailableAtOnce(2);
        error = false;
        ConfigState third = Configs.with(withCertificate(first), "{'routers':[{'id':'r','proxyServerId':'web'}]}");
        log.advance(third);
        assertThat(findings()).isEqualTo(Configs.analyse(third));
    }

    /** Nobody waits longer for what has failed. */
    private void assertUnavailableAtOnce(long number) throws Exception {
        long began = System.nanoTime();
        assertThat(analyst.newWith(number, Duration.ofSeconds(30)).await(40, TimeUnit.SECONDS))
                .isNull();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void anErrorOfOneListenerKeepsNoOtherFromHearing() throws Exception {
        List<Analyst.Change> heard = new CopyOnWriteArrayList<>();
        analyst.onChange(change -> {
            throw new StackOverflowError("on purpose");
        });
        analyst.onChange(heard::add);
        ConfigState first = Configs.state(SERVER);
        log.advance(first);
        analyst.start();
        assertThat(findings()).isEqualTo(Configs.analyse(first));

        log.advance(withCertificate(first));

        assertThat(findings()).isEqualTo(Configs.analyse(withCertificate(first)));
        assertThat(heard).hasSize(1);
    }

    @Test
    void aFailedTryLeavesNothingBehind() throws Exception {
        ConfigState first = Configs.state(SERVER);
        log.advance(first);
        analyst.start();
        assertThat(findings()).isNotEmpty();

        broken = true;
        List<EntityChange> changes = changes(first, withCertificate(first));
        assertThat(analyst.newWith(1, changes, Duration.ofSeconds(20)).await(30, TimeUnit.SECONDS))
                .isNull();

        broken = false;
        assertThat(analyst.newWith(1, changes, Duration.ofSeconds(20)).await(30, TimeUnit.SECONDS))
                .extracting(Finding::id)
                .contains("c", "u");
        assertThat(findings()).isEqualTo(Configs.analyse(first));
    }

    private void assertUnavailable() {
        assertThatThrownBy(this::findings)
                .isInstanceOfSatisfying(
                        FailureException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.Unavailable.class));
    }
}
