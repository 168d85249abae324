package io.sigma.dataplane.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.Upstream;
import io.sigma.snapshot.Announcement;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.FetchReply;
import io.sigma.snapshot.FetchRequest;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotBody;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Over a real local event bus, against a control plane that can be told to misbehave. */
class SnapshotClientTest {

    /** Takes a short change in one. */
    private static final int CHUNK = 1024;

    private final Vertx vertx = Vertx.vertx();
    private final Queue<GatewayStatus> statuses = new ConcurrentLinkedQueue<>();
    private final Queue<FetchRequest> requests = new ConcurrentLinkedQueue<>();
    private final List<Snapshot> history = new ArrayList<>(List.of(Snapshot.NONE));
    private final Target target = new Target();

    private volatile Snapshot served = Snapshot.NONE;
    private volatile boolean damageDeltas;
    private volatile boolean lieAboutHashes;
    private volatile @Nullable SnapshotClient client;

    /** Keeps what it is given, and refuses every state that has an upstream called bad. */
    private static final class Target implements SnapshotTarget {
        private volatile Snapshot current = Snapshot.NONE;

        @Override
        public Future<Void> apply(Snapshot snapshot) {
            if (snapshot.state().upstreams().containsKey("bad")) {
                return Future.failedFuture(new SnapshotRefused("/upstreams/bad", "bad (expected: good)"));
            }
            current = snapshot;
            return Future.succeededFuture();
        }

        @Override
        public Snapshot current() {
            return current;
        }
    }

    @AfterEach
    void stop() throws Exception {
        SnapshotClient running = client;
        if (running != null) {
            running.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        }
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static EntityChange upstream(String id, int nodes) {
        List<Node> list = IntStream.range(0, nodes)
                .mapToObj(i -> Node.builder().url("http://" + id + "-" + i).build())
                .toList();
        return new EntityChange(
                Kind.UPSTREAM, id, Upstream.builder().id(id).nodes(list).build());
    }

    private void commit(EntityChange... changes) {
        Snapshot next = served.advance(served.revision() + 1, List.of(changes));
        synchronized (history) {
            history.add(next);
        }
        served = next;
    }

    private void announce(Snapshot snapshot) {
        vertx.eventBus().publish(SnapshotProtocol.ANNOUNCE, BusJson.of(announcement(snapshot)));
    }

    private static Announcement announcement(Snapshot snapshot) {
        return new Announcement(snapshot.revision(), snapshot.hash().hex(), "cp");
    }

    private volatile boolean withoutData;

    private void startControlPlane() {
        vertx.eventBus().<JsonObject>localConsumer(SnapshotProtocol.STATUS, message -> {
            statuses.add(BusJson.read(message.body(), GatewayStatus.class));
            message.reply(BusJson.of(announcement(served)));
        });
        vertx.eventBus().<JsonObject>localConsumer(SnapshotProtocol.FETCH, message -> {
            FetchRequest request = BusJson.read(message.body(), FetchRequest.class);
            requests.add(request);
            JsonObject reply = new JsonObject(Json.text(reply(request)));
            if (withoutData) {
                withoutData = false;
                reply.remove("data");
            }
            message.reply(reply);
        });
    }

    private FetchReply reply(FetchRequest request) {
        Snapshot now = served;
        if (request.revision() == now.revision()) {
            return new FetchReply("t", false, now.revision(), now.hash().hex(), 0, 0, new byte[0]);
        }
        boolean full = request.revision() == 0 || request.revision() > now.revision();
        SnapshotBody body = full ? SnapshotBody.full(now) : delta(request.revision(), now);
        byte[] bytes = body.compress();
        int chunks = (bytes.length + CHUNK - 1) / CHUNK;
        int from = request.chunk() * CHUNK;
        byte[] chunk = Arrays.copyOfRange(bytes, from, Math.min(from + CHUNK, bytes.length));
        String hash = lieAboutHashes || (damageDeltas && !full)
                ? "0".repeat(63) + "1"
                : now.hash().hex();
        return new FetchReply("t", full, now.revision(), hash, chunks, request.chunk(), chunk);
    }

    private SnapshotBody delta(long from, Snapshot to) {
        List<EntityChange> changes = new ArrayList<>();
        Snapshot base;
        synchronized (history) {
            base = history.stream()
                    .filter(s -> s.revision() == from)
                    .findFirst()
                    .orElseThrow();
        }
        to.state().upstreams().forEach((id, value) -> {
            if (!value.equals(base.state().upstreams().get(id))) {
                changes.add(new EntityChange(Kind.UPSTREAM, id, value));
            }
        });
        return new SnapshotBody(to.revision(), to.hash().hex(), changes);
    }

    private void startClient() {
        client = SnapshotClient.start(
                vertx, new LocalLink(vertx), target, new GatewayIdentity("g", "host", "1", Instant.EPOCH));
    }

    private static void await(String what, BooleanSupplier fact) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!fact.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            Thread.sleep(5);
        }
    }

    private boolean said(long revision) {
        return statuses.stream().anyMatch(status -> status.revision() == revision);
    }

    @Test
    void aNewGatewayTakesTheFullStateInChunksAndAcknowledgesIt() throws Exception {
        commit(upstream("a", 400));
        startControlPlane();
        startClient();
        await("revision 1 is acknowledged", () -> said(1));
        assertThat(target.current().hash()).isEqualTo(served.hash());
        assertThat(requests)
                .extracting(FetchRequest::chunk)
                .hasSizeGreaterThan(1)
                .startsWith(0, 1);
    }

    @Test
    void aChangeTravelsAsADelta() throws Exception {
        commit(upstream("a", 1));
        startControlPlane();
        startClient();
        await("revision 1", () -> said(1));
        commit(upstream("b", 1));
        announce(served);
        await("revision 2", () -> said(2));
        assertThat(requests.stream().map(FetchRequest::revision)).contains(1L);
        assertThat(target.current().state().upstreams()).containsOnlyKeys("a", "b");
    }

    @Test
    void aLostAnnouncementIsMadeUpForByTheNextStatus() throws Exception {
        commit(upstream("a", 1));
        startControlPlane();
        startClient();
        await("revision 1", () -> said(1));
        commit(upstream("b", 1));
        await("revision 2 without an announcement", () -> said(2));
    }

    @Test
    void repeatedAndReorderedAnnouncementsChangeNothing() throws Exception {
        commit(upstream("a", 1));
        Snapshot first = served;
        commit(upstream("b", 1));
        startControlPlane();
        startClient();
        await("revision 2", () -> said(2));
        int fetched = requests.size();
        for (int i = 0; i < 20; i++) {
            announce(first);
            announce(served);
        }
        commit(upstream("c", 1));
        announce(served);
        announce(first);
        await("revision 3", () -> said(3));
        assertThat(requests).hasSize(fetched + 1);
        assertThat(target.current().revision()).isEqualTo(3);
    }

    @Test
    void aDeltaThatLeadsElsewhereIsReplacedByTheFullState() throws Exception {
        commit(upstream("a", 1));
        startControlPlane();
        startClient();
        await("revision 1", () -> said(1));
        damageDeltas = true;
        commit(upstream("b", 1));
        announce(served);
        await("revision 2", () -> said(2));
        assertThat(requests.stream().map(FetchRequest::revision)).endsWith(1L, 0L);
        assertThat(statuses).allSatisfy(status -> assertThat(status.refusal()).isNull());
    }

    @Test
    void aFullStateWithAnotherHashIsRefused() throws Exception {
        commit(upstream("a", 1));
        startControlPlane();
        startClient();
        await("revision 1", () -> said(1));
        lieAboutHashes = true;
        commit(upstream("b", 1));
        announce(served);
        await("a refusal", () -> statuses.stream().anyMatch(s -> s.refusal() != null));
        assertThat(target.current().revision()).isEqualTo(1);
    }

    @Test
    void nackKeepsTheLastGoodSnapshotAndIsWithdrawnByTheNextGoodOne() throws Exception {
        commit(upstream("a", 1));
        startControlPlane();
        startClient();
        await("revision 1", () -> said(1));
        commit(upstream("bad", 1));
        announce(served);
        await("a refusal", () -> statuses.stream().anyMatch(s -> s.refusal() != null));
        GatewayStatus nack =
                statuses.stream().filter(s -> s.refusal() != null).findFirst().orElseThrow();
        assertThat(nack.revision()).isEqualTo(1);
        assertThat(nack.refusal().revision()).isEqualTo(2);
        assertThat(nack.refusal().pointer()).isEqualTo("/upstreams/bad");
        assertThat(nack.refusal().message()).isEqualTo("bad (expected: good)");
        assertThat(target.current().revision()).isEqualTo(1);

        served = served.advance(3, List.of(new EntityChange(Kind.UPSTREAM, "bad", null), upstream("c", 1)));
        announce(served);
        await("revision 3", () -> said(3));
        assertThat(statuses.stream().filter(s -> s.revision() == 3))
                .allSatisfy(s -> assertThat(s.refusal()).isNull());
    }

    @Test
    void anotherHistoryIsTakenOverInTheEndButNotAnEmptyOne() throws Exception {
        for (int i = 0; i < 5; i++) {
            commit(upstream("a" + i, 1));
        }
        startControlPlane();
        startClient();
        await("revision 5", () -> said(5));
        served = Snapshot.NONE;
        int before = statuses.size();
        await("status replies", () -> statuses.size() > before + SnapshotClient.CONTRADICTIONS_MAX);
        assertThat(target.current().revision()).isEqualTo(5);

        commit(upstream("other", 1));
        await("the restored history", () -> said(1));
        assertThat(target.current().state().upstreams()).containsOnlyKeys("other");
    }

    @Test
    void replyThatCannotBeTakenIsAskedForAgain() throws Exception {
        commit(upstream("a", 1));
        startControlPlane();
        withoutData = true;
        startClient();
        await("revision 1", () -> said(1));
    }

    @Test
    void whatWasHintedInAnotherHistoryHasARefusedRevisionFetchedOnceMoreAtMost() throws Exception {
        commit(upstream("a", 1));
        startControlPlane();
        startClient();
        await("revision 1", () -> said(1));
        Snapshot one = served;
        commit(upstream("bad", 1));
        vertx.eventBus().publish(SnapshotProtocol.ANNOUNCE, BusJson.of(new Announcement(9, "0".repeat(64), "cp")));
        await("a refusal", () -> statuses.stream().anyMatch(status -> status.refusal() != null));
        Thread.sleep(1_000);
        assertThat(requests.stream().filter(request -> request.revision() == one.revision()))
                .hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aGatewayStartsBeforeAnyControlPlaneAndFindsItLater() throws Exception {
        startClient();
        commit(upstream("a", 1));
        startControlPlane();
        await("revision 1", () -> said(1));
    }

    @Test
    void theLastStatusSaysGoodbye() throws Exception {
        startControlPlane();
        startClient();
        await("a status", () -> !statuses.isEmpty());
        client.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        client = null;
        assertThat(statuses).last().extracting(GatewayStatus::stopping).isEqualTo(true);
    }
}
