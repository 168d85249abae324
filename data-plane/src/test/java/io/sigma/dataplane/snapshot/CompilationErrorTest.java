package io.sigma.dataplane.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.testkit.fault.FailingProvider;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever waits for a snapshot is answered whatever is thrown for it: else no further one would be taken. */
final class CompilationErrorTest {

    private static final int PATIENCE_SECONDS = 20;

    /** Where preparation throws an error; empty for nowhere. */
    private volatile String failing = "";

    private final SnapshotApplier applier = SnapshotApplier.of(
            (endpoint, loop, connected, failed) -> failed.accept(new IllegalStateException("no network")),
            List.of(),
            new GatewayMetrics(100, 1),
            services(),
            new ActiveSnapshot(),
            new Preparation() {
                @Override
                public Future<Preparation.Prepared> prepare(RuntimeSnapshot next) {
                    fail("prepare");
                    return Future.succeededFuture(() -> {});
                }

                @Override
                public void check(RuntimeSnapshot next, boolean unnamed) {
                    fail("check");
                }

                @Override
                public void judge(RuntimeSnapshot next) {
                    fail("judge");
                }
            });

    private static FilterServices services() {
        FilterServices none = FilterServices.NONE;
        return new FilterServices(
                none.loops(),
                none.worker(),
                none.clock(),
                none.nanoTime(),
                none.random(),
                none.consumers(),
                Map.of("failing", new FailingProvider()),
                none.addresses(),
                none.files(),
                none.disk(),
                none.passesSessions());
    }

    private void fail(String where) {
        if (failing.equals(where)) {
            throw new StackOverflowError("made to fail");
        }
    }

    @AfterEach
    void close() {
        applier.close();
    }

    private static Snapshot server(Snapshot before, String how) {
        String json =
                "{\"id\":\"web\",\"port\":80,\"plugins\":{\"extensions\":{\"failing\":{\"how\":\"" + how + "\"}}}}";
        return before.advance(
                before.revision() + 1,
                List.of(EntityChange.of(Kind.PROXY_SERVER, "web", Json.read(json, JsonNode.class))));
    }

    private static void await(Future<Void> future) throws Exception {
        future.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"linkage", "stack", "error", "exception"})
    void whatIsThrownWhileCompilingIsAnswered(String how) throws Exception {
        Snapshot broken = server(Snapshot.NONE, how);

        assertThatThrownBy(() -> await(applier.prepare(broken))).isInstanceOf(SnapshotRefused.class);
        assertThatThrownBy(() -> await(applier.apply(broken))).isInstanceOf(SnapshotRefused.class);
        takesTheNext(broken);
    }

    @ParameterizedTest
    @ValueSource(strings = {"prepare", "check"})
    void whatIsThrownWhilePreparingIsAnswered(String where) throws Exception {
        Snapshot sound = server(Snapshot.NONE, "");
        failing = where;

        assertThatThrownBy(() -> await(applier.apply(sound))).isInstanceOf(SnapshotRefused.class);
        failing = "";
        takesTheNext(sound);
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "judge"})
    void whatIsThrownInAVoteIsAnswered(String where) throws Exception {
        Snapshot sound = server(Snapshot.NONE, "");
        failing = where;

        assertThatThrownBy(() -> await(applier.prepare(sound))).isInstanceOf(SnapshotRefused.class);
        failing = "";
        await(applier.prepare(sound));
        takesTheNext(sound);
    }

    private void takesTheNext(Snapshot before) throws Exception {
        Snapshot next = server(before, "");
        await(applier.apply(next));
        assertThat(applier.current()).isSameAs(next);
    }
}
