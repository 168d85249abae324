package io.sigma.dataplane.link;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.identity.ClusterEndpoint;
import io.sigma.json.Json;
import io.sigma.model.CandidateUpstream;
import io.sigma.model.GatewayConnectionList;
import io.sigma.model.RewrittenRequest;
import io.sigma.model.RouteTestResult;
import io.sigma.snapshot.ConnectionQuestion;
import io.sigma.snapshot.RouteAnswer;
import io.sigma.snapshot.RouteQuestion;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.value.InvalidValue;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears questions about routes and connections. Answers are cut short to fit a message. Thread-safe. */
final class RouteResponder {

    private static final Logger LOG = LoggerFactory.getLogger(RouteResponder.class);

    /** Room for the envelope, and for the quotes that JSON within JSON does not need here. */
    private static final int BYTES_MAX = ClusterEndpoint.GATEWAY_MESSAGE_BYTES_MAX - 2048;

    private static final int LISTED_MAX = 128;

    private final ControlLink link;
    private final RouteAnswers answers;

    RouteResponder(ControlLink link, RouteAnswers answers) {
        this.link = link;
        this.answers = answers;
    }

    void hear(JsonNode body) {
        RouteQuestion question;
        try {
            question = Json.read(body, RouteQuestion.class);
        } catch (IllegalArgumentException e) {
            LOG.warn("A question about routes is not understood: {}", e.getMessage());
            return;
        }
        ConnectionQuestion connections = question.connections();
        (connections == null
                        ? answers.answer(question).map(result -> fitting(question, result))
                        : answers.connections(connections).map(found -> fitting(question, found)))
                .onComplete(done -> send(done.succeeded() ? done.result() : failed(question, done.cause())));
    }

    private void send(RouteAnswer answer) {
        link.request(SnapshotProtocol.ANSWER, answer)
                .onFailure(e -> LOG.debug("No control plane received an answer about routes: {}", e.toString()));
    }

    private static RouteAnswer failed(RouteQuestion question, Throwable cause) {
        return switch (cause) {
            case RouteAnswers.OtherBase other ->
                RouteAnswer.failed(question, RouteAnswer.Failure.BASE, "", String.valueOf(other.revision()));
            case SnapshotRefused refused ->
                RouteAnswer.failed(question, RouteAnswer.Failure.REFUSED, refused.pointer(), refused.detail());
            case InvalidValue invalid ->
                RouteAnswer.failed(
                        question, RouteAnswer.Failure.INVALID, "/clientAddress", String.valueOf(invalid.getMessage()));
            default -> {
                LOG.error("A question about routes could not be answered", cause);
                yield RouteAnswer.failed(question, RouteAnswer.Failure.FAILED, "", String.valueOf(cause.getMessage()));
            }
        };
    }

    private static RouteAnswer fitting(RouteQuestion question, RouteTestResult result) {
        RouteAnswer answer = RouteAnswer.of(question, result);
        for (int listed = LISTED_MAX; listed > 0 && Json.bytes(answer).length > BYTES_MAX; listed /= 2) {
            answer = RouteAnswer.of(question, cut(result, listed));
        }
        return answer;
    }

    private static RouteAnswer fitting(RouteQuestion question, GatewayConnectionList found) {
        RouteAnswer answer = RouteAnswer.of(question, found);
        for (int listed = found.items().size(); listed > 0 && Json.bytes(answer).length > BYTES_MAX; listed /= 2) {
            answer = RouteAnswer.of(
                    question,
                    found.toBuilder().items(first(found.items(), listed)).build());
        }
        return answer;
    }

    /** Returns {@code result} with at most so many items in each of its lists. */
    private static RouteTestResult cut(RouteTestResult result, int listed) {
        RewrittenRequest request = result.request();
        int losers = Math.min(listed, result.losers().size());
        return result.toBuilder()
                .losers(result.losers().subList(0, losers))
                .furtherLosers(result.furtherLosers() + result.losers().size() - losers)
                .request(request == null ? null : cut(request, listed))
                .upstreams(first(result.upstreams(), listed).stream()
                        .map(upstream -> cut(upstream, listed))
                        .toList())
                .build();
    }

    private static RewrittenRequest cut(RewrittenRequest request, int listed) {
        return request.toBuilder()
                .headers(first(request.headers(), listed))
                .furtherHeaders(Math.max(0, request.headers().size() - listed))
                .build();
    }

    private static CandidateUpstream cut(CandidateUpstream upstream, int listed) {
        int further = upstream.furtherNodes() == null ? 0 : upstream.furtherNodes();
        return upstream.toBuilder()
                .nodes(first(upstream.nodes(), listed))
                .furtherNodes(further + Math.max(0, upstream.nodes().size() - listed))
                .build();
    }

    private static <T> List<T> first(List<T> all, int count) {
        return all.subList(0, Math.min(count, all.size()));
    }
}
