package io.sigma.controlplane.fleet;

import io.sigma.controlplane.callback.Attempt;
import io.sigma.controlplane.store.database.Notifications;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks gateways: those of this control plane over its event bus, others through the control plane that they hang on.
 * Questions and answers are JSON with the {@code id} of the question and the {@code gatewayId}. Thread-safe.
 */
final class GatewayQuestions {

    /** Questions that wait for an answer; a further one fails. */
    static final int WAITING_MAX = 100;

    private static final String ID = "id";
    private static final String GATEWAY_ID = "gatewayId";
    private static final int INVALID = 400;
    private static final Duration RELAY_TIMEOUT = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(GatewayQuestions.class);

    private final Vertx vertx;
    private final QuestionTable table;
    private final String controlPlaneId;
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

    private record Waiting(String gatewayId, Promise<JsonObject> answer) {}

    GatewayQuestions(Vertx vertx, QuestionTable table, String controlPlaneId) {
        this.vertx = vertx;
        this.table = table;
        this.controlPlaneId = controlPlaneId;
    }

    /** Hears what other control planes ask and answer. */
    void listen(Notifications notifications) {
        notifications.on(QuestionTable.CHANNEL, payload -> {
            String[] words = payload.split(" ", -1);
            if (words.length == 3 && words[1].equals(controlPlaneId)) {
                if (words[0].equals("ask")) {
                    relay(words[2]);
                } else {
                    take(words[2]);
                }
            }
        });
    }

    /**
     * Asks a gateway.
     *
     * @param question a record of the protocol
     * @param type the record that the answer is read as
     * @param controlPlane the control plane that the gateway is connected to
     * @return fails when it does not answer in time or not with a {@code type}, or when too many wait
     */
    <T> Future<T> ask(Record question, Class<T> type, String controlPlane, Duration timeout) {
        return ask(FleetJson.of(question), controlPlane, timeout).map(answer -> FleetJson.read(answer, type));
    }

    private Future<JsonObject> ask(JsonObject question, String controlPlane, Duration timeout) {
        if (waiting.size() >= WAITING_MAX) {
            return Future.failedFuture(WAITING_MAX + " questions wait for an answer already");
        }
        String id = question.getString(ID);
        Waiting wait = new Waiting(question.getString(GATEWAY_ID), Promise.promise());
        waiting.put(id, wait);
        // Before it is asked: what cannot be asked must not keep its place.
        Future<JsonObject> answer = wait.answer()
                .future()
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(done -> waiting.remove(id));
        Attempt.of(() -> send(question, controlPlane))
                .onFailure(e -> wait.answer().tryFail(e));
        return answer;
    }

    private Future<Void> send(JsonObject question, String controlPlane) {
        if (controlPlane.equals(controlPlaneId)) {
            vertx.eventBus().send(SnapshotProtocol.ask(question.getString(GATEWAY_ID)), question);
            return Future.succeededFuture();
        }
        return table.ask(question, controlPlaneId, controlPlane);
    }

    /** Takes an answer of a gateway of this control plane. */
    void answered(Message<JsonObject> message) {
        JsonObject answer = message.body();
        if (!(answer.getValue(ID) instanceof String id) || !(answer.getValue(GATEWAY_ID) instanceof String gatewayId)) {
            message.fail(INVALID, "answer: id and gatewayId (expected: strings)");
            return;
        }
        Waiting wait = waiting.get(id);
        if (wait != null && wait.gatewayId().equals(gatewayId)) {
            wait.answer().tryComplete(answer);
        }
        message.reply(new JsonObject());
    }

    private void relay(String id) {
        table.question(id)
                .compose(question -> question == null
                        ? Future.succeededFuture()
                        : ask(question, controlPlaneId, RELAY_TIMEOUT).compose(table::answer))
                .onFailure(e -> LOG.debug("A question of another control plane is not answered: {}", e.getMessage()));
    }

    private void take(String id) {
        Waiting wait = waiting.get(id);
        if (wait != null) {
            table.take(id).onSuccess(answer -> {
                if (answer != null) {
                    wait.answer().tryComplete(answer);
                }
            });
        }
    }

    /** Deletes questions that nobody waits for any more. */
    void forget() {
        table.forget().onFailure(e -> LOG.debug("Old questions cannot be deleted: {}", e.getMessage()));
    }
}
