package io.sigma.dataplane.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.link.ControlLink;
import io.sigma.json.Json;
import io.sigma.snapshot.Announcement;
import io.sigma.snapshot.Proposal;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A control plane that only asks which requests came. */
public final class AskingLink implements ControlLink {

    private final BlockingQueue<RequestsAnswer> answers = new LinkedBlockingQueue<>();
    private volatile Consumer<JsonNode> listener = question -> {};
    private volatile Promise<Void> held = Promise.promise();

    public AskingLink() {
        held.complete();
    }

    /** From now on no answer is taken. */
    public void hold() {
        held = Promise.promise();
    }

    /** Takes the answers that wait, and all later ones. */
    public void release() {
        held.tryComplete();
    }

    /** Asks, and does not wait. */
    public void ask(RequestsQuestion question) {
        listener.accept(Json.read(Json.text(question), JsonNode.class));
    }

    /** Returns the next answer. */
    public RequestsAnswer answer() throws InterruptedException {
        RequestsAnswer answer = answers.poll(20, TimeUnit.SECONDS);
        if (answer == null) {
            throw new AssertionError("no answer within 20 s");
        }
        return answer;
    }

    /** Returns how many answers were sent that nobody looked at. */
    public int waiting() {
        return answers.size();
    }

    @Override
    public <T> Future<T> request(String address, Object message, Class<T> type) {
        if (!address.equals(SnapshotProtocol.ANSWER)) {
            return Future.failedFuture("nothing else is heard here");
        }
        answers.add(Json.read(Json.text(message), RequestsAnswer.class));
        return held.future().map(taken -> Json.read("{}", type));
    }

    @Override
    public Future<Void> tell(String address, Object message) {
        return Future.succeededFuture();
    }

    @Override
    public void onAnnouncement(Consumer<Announcement> hears) {}

    @Override
    public void onQuestion(String gatewayId, Consumer<JsonNode> hears) {
        listener = hears;
    }

    @Override
    public void onProposal(Consumer<Proposal> hears) {}

    @Override
    public void onConnected(Runnable hears) {}

    @Override
    public Future<Void> open() {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
