package io.sigma.controlplane.api;

import io.sigma.controlplane.failure.FailedOperation;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.json.Json;
import io.sigma.model.FieldError;
import io.sigma.model.OperationProblem;
import io.sigma.model.Problem;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns every failure into a problem document (RFC 9457). The one place that does. */
final class Problems {

    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    private static final String TYPE = "urn:sigma:problem:";
    private static final String RETRY_SECONDS = "1";
    private static final int PATH_SHOWN_MAX = 200;

    private Problems() {}

    /** Answers the failure of {@code context}. */
    static void answer(RoutingContext context) {
        HttpServerResponse response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            // A body that was cut short must not look complete.
            context.request().connection().close();
            return;
        }
        Throwable failure = context.failure();
        Failure known = failure(context);
        if (known != null) {
            send(context, known);
            return;
        }
        LOG.error(
                "{} {} failed",
                context.request().method(),
                shown(context.request().path()),
                Traces.shortened(failure));
        send(context, internal());
    }

    private static String shown(@Nullable String path) {
        return path == null || path.length() <= PATH_SHOWN_MAX
                ? String.valueOf(path)
                : path.substring(0, PATH_SHOWN_MAX) + "…";
    }

    /**
     * Returns what the failure of {@code context} is answered with, or would be if its client had not gone; null when
     * it was answered already, and when it has failed because the client has gone.
     */
    static @Nullable Problem of(RoutingContext context) {
        HttpServerResponse response = context.response();
        Failure known = failure(context);
        if (response.headWritten() || response.ended() || (known == null && response.closed())) {
            return null;
        }
        return (known == null ? internal() : of(known)).build();
    }

    private static @Nullable Failure failure(RoutingContext context) {
        Throwable failure = context.failure();
        if (failure instanceof FailureException known) {
            return known.failure();
        }
        return byStatus(failure instanceof HttpException http ? http.getStatusCode() : context.statusCode());
    }

    private static Problem.Builder internal() {
        return problem("internal", "Internal error", 500)
                .detail("The control plane failed to handle this request. Its log says why.");
    }

    /** Failures that the HTTP library finds. */
    private static @Nullable Failure byStatus(int status) {
        return switch (status) {
            case 400 -> new Failure.BadRequest("The request is malformed.");
            case 404 -> new Failure.NotFound("Nothing exists at this path.");
            case 413 -> new Failure.TooLarge(0);
            case 417 -> new Failure.BadRequest("Expect: (expected: 100-continue)");
            default -> null;
        };
    }

    static void send(RoutingContext context, Failure failure) {
        HttpServerResponse response = context.response();
        switch (failure) {
            case Failure.Unauthorized any -> response.putHeader("WWW-Authenticate", "Bearer realm=\"sigma\"");
            case Failure.MethodNotAllowed method -> response.putHeader(HttpHeaders.ALLOW, method.allow());
            case Failure.TooManyRequests wait ->
                response.putHeader(HttpHeaders.RETRY_AFTER, String.valueOf(wait.retryAfterSeconds()));
            case Failure.Unavailable any -> response.putHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
            case Failure.TooLarge any ->
                // The rest of the body is not read.
                response.putHeader(HttpHeaders.CONNECTION, "close");
            case Failure.PreconditionFailed stale
            when stale.currentTag() != null -> response.putHeader(HttpHeaders.ETAG, stale.currentTag());
            default -> {}
        }
        send(context, of(failure));
    }

    private static Problem.Builder of(Failure failure) {
        return switch (failure) {
            case Failure.BadRequest bad ->
                problem("bad-request", "Malformed request", 400)
                        .detail(bad.detail())
                        .errors(bad.errors());
            case Failure.Unauthorized any ->
                problem("unauthorized", "Log in first", 401).detail(any.detail());
            case Failure.Forbidden any ->
                problem("forbidden", "Not allowed", 403).detail(any.detail()).errors(any.errors());
            case Failure.NotFound any -> problem("not-found", "Not found", 404).detail(any.detail());
            case Failure.RevisionGone gone ->
                problem("revision-gone", "Revision no longer kept", 410)
                        .detail(gone.detail())
                        .oldestRevision(gone.oldest());
            case Failure.MethodNotAllowed method ->
                problem("method-not-allowed", "Method not allowed", 405)
                        .detail(method.method() + " (expected: " + method.allow() + ")");
            case Failure.IdTaken any -> problem("id-taken", "Id is taken", 409).detail(any.detail());
            case Failure.NothingToWaive any ->
                problem("nothing-to-waive", "Nothing to waive", 409).detail(any.detail());
            case Failure.OtherLabel other ->
                problem("other-label", "Ids of resources without the label", 409)
                        .detail("The ids belong to resources that do not have the label.")
                        .errors(other.errors());
            case Failure.NeedsForce losing ->
                problem("needs-force", "Additions would be lost", 409)
                        .detail(
                                "Operations would lose additions to their routes (expected: force, if that is intended).")
                        .errors(losing.errors());
            case Failure.Referenced any ->
                problem("referenced", "Still referred to", 409)
                        .detail(any.detail())
                        .referrers(any.referrers());
            case Failure.PreconditionFailed any ->
                problem("precondition-failed", "Changed meanwhile", 412).detail(any.detail());
            case Failure.TooLarge large ->
                problem("too-large", "Body too large", 413)
                        .detail(
                                large.bytesMax() > 0
                                        ? "(expected: at most " + large.bytesMax() + " bytes)"
                                        : "The body is larger than its limit.");
            case Failure.TooManyValues any ->
                problem("too-large", "Body too large", 413)
                        .detail("The body has more values than the control plane has memory for. Divide it, or give the"
                                + " control plane a larger heap.");
            case Failure.TooSlow slow ->
                problem("too-slow", "Body too slow", 408)
                        .detail("(expected: at least " + slow.bytesPerSecondMin() + " bytes a second)");
            case Failure.PathTooLong any ->
                problem("path-too-long", "Path too long", 414).detail(any.detail());
            case Failure.UnsupportedMediaType any ->
                problem("unsupported-media-type", "Unsupported media type", 415).detail(any.detail());
            case Failure.Invalid invalid ->
                problem("invalid", "Invalid values", 422)
                        .detail("Some fields are not valid; `errors` names each.")
                        .errors(invalid.errors());
            case Failure.KeyReused any ->
                problem("idempotency-key-reused", "Another request used this key", 422)
                        .detail(any.detail());
            case Failure.OperationsFailed failed -> operations(failed);
            case Failure.RefusedByGateway refused ->
                problem("refused-by-gateway", "Refused by a gateway", 422)
                        .detail("A gateway cannot compile the change; `errors` says why, and `votes` names it.")
                        .errors(refused.errors())
                        .votes(refused.votes());
            case Failure.RevisionRefused refused ->
                problem("revision-refused", "Gateways refuse the newest revision", 409)
                        .detail("Nothing was changed, because " + refused.text()
                                + ". Sigma accepts a change that fixes it, such as a roll back to before revision "
                                + refused.revision()
                                + ". If only the gateway is at fault, PUT /gateways/{id}/waiver lets writes succeed.")
                        .errors(refused.errors())
                        .votes(refused.votes());
            case Failure.TooManyRequests any ->
                problem("too-many-requests", "Too many tries", 429).detail(any.detail());
            case Failure.Unavailable any ->
                problem(any.database() ? "database-away" : "unavailable", "Unavailable", 503)
                        .detail(any.detail());
            case Failure.OutcomeUnknown any ->
                problem("outcome-unknown", "Outcome unknown", 503).detail(any.detail());
        };
    }

    /** The status is the one that all failed operations have; where they differ, 422. */
    private static Problem.Builder operations(Failure.OperationsFailed failed) {
        List<OperationProblem> operations = new ArrayList<>();
        List<FieldError> errors = new ArrayList<>();
        for (FailedOperation one : failed.operations()) {
            Problem alone = of(one.failure()).build();
            operations.add(OperationProblem.builder()
                    .index(one.index())
                    .kind(one.kind())
                    .id(one.id())
                    .status(alone.status())
                    .type(alone.type())
                    .detail(alone.detail())
                    .etag(one.failure() instanceof Failure.PreconditionFailed stale ? stale.currentTag() : null)
                    .referrers(alone.referrers())
                    .build());
            errors.addAll(one.errors());
        }
        long statuses =
                operations.stream().map(OperationProblem::status).distinct().count();
        int status = statuses == 1 ? operations.getFirst().status() : 422;
        return problem("operations-failed", "Operations cannot be done", status)
                .detail("Nothing was changed; `operations` says which of them cannot be done and why.")
                .operations(operations)
                .errors(errors);
    }

    private static Problem.Builder problem(String type, String title, int status) {
        return Problem.builder().type(TYPE + type).title(title).status(status);
    }

    private static void send(RoutingContext context, Problem.Builder builder) {
        Problem problem = builder.instance(context.request().path()).build();
        context.response()
                .setStatusCode(problem.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json")
                .end(Buffer.buffer(Json.bytes(problem)));
    }
}
