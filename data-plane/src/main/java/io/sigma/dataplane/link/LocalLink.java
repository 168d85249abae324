package io.sigma.dataplane.link;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.snapshot.Announcement;
import io.sigma.snapshot.Proposal;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/** The link of standalone mode: the control plane is on the event bus of the same process. */
public final class LocalLink implements ControlLink {

    private static final DeliveryOptions OPTIONS = new DeliveryOptions().setSendTimeout(TimeUnit.SECONDS.toMillis(10));

    private final Vertx vertx;
    private final IntPredicate controlPort;
    private Consumer<Announcement> onAnnouncement = announcement -> {};
    private Consumer<Proposal> onProposal = proposal -> {};
    private Runnable onConnected = () -> {};
    private String gatewayId = "";
    private Consumer<JsonNode> onQuestion = question -> {};
    private volatile List<MessageConsumer<JsonObject>> consumers = List.of();

    public LocalLink(Vertx vertx) {
        this(vertx, port -> false);
    }

    /** @param controlPort whether the control plane listens on a port */
    public LocalLink(Vertx vertx, IntPredicate controlPort) {
        this.vertx = vertx;
        this.controlPort = controlPort;
    }

    @Override
    public boolean isControlPort(int port) {
        return controlPort.test(port);
    }

    @Override
    public <T> Future<T> request(String address, Object message, Class<T> type) {
        return vertx.eventBus()
                .<JsonObject>request(address, BusJson.of(message), OPTIONS)
                .map(reply -> BusJson.read(reply.body(), type));
    }

    @Override
    public Future<Void> tell(String address, Object message) {
        vertx.eventBus().send(address, BusJson.of(message));
        return Future.succeededFuture();
    }

    @Override
    public void onAnnouncement(Consumer<Announcement> listener) {
        onAnnouncement = listener;
    }

    @Override
    public void onQuestion(String id, Consumer<JsonNode> listener) {
        gatewayId = id;
        onQuestion = listener;
    }

    @Override
    public void onProposal(Consumer<Proposal> listener) {
        onProposal = listener;
    }

    @Override
    public void onConnected(Runnable listener) {
        onConnected = listener;
    }

    @Override
    public Future<Void> open() {
        consumers = List.of(
                vertx.eventBus()
                        .localConsumer(
                                SnapshotProtocol.ANNOUNCE,
                                message -> onAnnouncement.accept(BusJson.read(message.body(), Announcement.class))),
                vertx.eventBus()
                        .localConsumer(
                                SnapshotProtocol.PREPARE,
                                message -> onProposal.accept(BusJson.read(message.body(), Proposal.class))),
                vertx.eventBus()
                        .<JsonObject>localConsumer(
                                SnapshotProtocol.ask(gatewayId),
                                message -> onQuestion.accept(BusJson.read(message.body(), JsonNode.class))));
        onConnected.run();
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> close() {
        return Future.join(consumers.stream().map(MessageConsumer::unregister).toList())
                .mapEmpty();
    }
}
