package io.sigma.dataplane.link;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.identity.ClusterEndpoint;
import io.sigma.json.Json;
import io.sigma.model.LastRequest;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears questions about the last requests and sends the answers. Where an answer would not fit a message, the oldest
 * requests are left out. One answer is on its way at a time, and some questions wait. So a control plane that is slow
 * or asks too much takes the place of nothing else on the link. Thread-safe.
 */
final class RequestsResponder {

    /** Questions that wait; a further one is not answered. */
    static final int WAITING_MAX = 16;

    private static final Logger LOG = LoggerFactory.getLogger(RequestsResponder.class);

    /** Room for the envelope. */
    private static final int BYTES_MAX = ClusterEndpoint.GATEWAY_MESSAGE_BYTES_MAX - 2048;

    private final ControlLink link;
    private final RouteAnswers answers;
    // Under the lock of this object.
    private final Queue<RequestsQuestion> waiting = new ArrayDeque<>();
    private boolean answering;

    RequestsResponder(ControlLink link, RouteAnswers answers) {
        this.link = link;
        this.answers = answers;
    }

    void hear(JsonNode body) {
        RequestsQuestion question;
        try {
            question = Json.read(body, RequestsQuestion.class);
        } catch (IllegalArgumentException e) {
            LOG.warn("A question about requests is not understood: {}", e.getMessage());
            return;
        }
        synchronized (this) {
            if (answering) {
                if (waiting.size() < WAITING_MAX) {
                    waiting.add(question);
                }
                return;
            }
            answering = true;
        }
        answer(question);
    }

    private void answer(RequestsQuestion question) {
        // Composed, so that what is thrown on the way is a failure as well: `answering` must not stay set.
        Future.succeededFuture()
                .compose(begun -> answers.requests(question))
                .compose(answer -> link.request(SnapshotProtocol.ANSWER, fitting(answer)))
                .onComplete(done -> {
                    if (done.failed()) {
                        LOG.debug(
                                "A question about requests is not answered: {}",
                                done.cause().toString());
                    }
                    next();
                });
    }

    private void next() {
        RequestsQuestion question;
        synchronized (this) {
            question = waiting.poll();
            answering = question != null;
        }
        if (question != null) {
            answer(question);
        }
    }

    private static RequestsAnswer fitting(RequestsAnswer answer) {
        int bytes = Json.bytes(with(answer, 0)).length;
        int count = 0;
        for (LastRequest item : answer.items()) {
            bytes += Json.bytes(item).length + 1;
            if (bytes > BYTES_MAX) {
                return with(answer, count);
            }
            count++;
        }
        return answer;
    }

    private static RequestsAnswer with(RequestsAnswer answer, int count) {
        return new RequestsAnswer(
                answer.gatewayId(),
                answer.id(),
                answer.items().subList(0, count),
                answer.matched(),
                answer.next(),
                answer.busy());
    }
}
