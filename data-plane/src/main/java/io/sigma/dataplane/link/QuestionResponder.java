package io.sigma.dataplane.link;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.snapshot.RequestsQuestion;
import java.util.function.Consumer;

/** Hears what control planes ask this gateway, and gives each question to what answers its kind. Thread-safe. */
final class QuestionResponder {

    private final Consumer<JsonNode> routes;
    private final Consumer<JsonNode> requests;

    QuestionResponder(ControlLink link, RouteAnswers answers) {
        this.routes = new RouteResponder(link, answers)::hear;
        this.requests = new RequestsResponder(link, answers)::hear;
    }

    void hear(JsonNode body) {
        (body.has(RequestsQuestion.FIELD) ? requests : routes).accept(body);
    }
}
