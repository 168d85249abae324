package io.sigma.controlplane.api;

import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.api.request.Clients;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.port.FailureLimiter;
import io.sigma.controlplane.store.AuditEntry;
import io.sigma.model.AuditOutcome;
import io.sigma.model.FieldError;
import io.sigma.model.Problem;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import io.vertx.openapi.contract.Operation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records what was refused: every write, whatever a role forbids, and wrong tokens. Without what was sent. Requests of
 * nobody are recorded up to a bound for a minute and one for a day, so that it takes strangers months to push out of
 * the log what others did; the record after says how many are left out. Confined to the server's verticle; waits for
 * the database.
 */
final class Refusals {

    private static final String UNKNOWN = "unknown";
    private static final int OF_STRANGERS_PER_MINUTE = 600;

    /** The part of the log that strangers may fill in a day. */
    private static final int DAYS_TO_FILL = 100;

    private static final int UNAVAILABLE = 503;

    private final AuditBacklog audit;
    private final Clients clients;
    private final FailureLimiter minute;
    private final FailureLimiter day;
    private long leftOut;

    /**
     * A refusal that waits to be recorded. There are as many as there are connections, and those of strangers in a
     * minute.
     */
    private record Pending(AuditEntry entry, Promise<Void> recorded) {}

    private final Deque<Pending> pending = new ArrayDeque<>();
    private boolean recording;

    /** @param keptMax records that the log keeps */
    Refusals(AuditBacklog audit, Clients clients, int keptMax, LongSupplier nanoTime) {
        this.audit = audit;
        this.clients = clients;
        this.minute = new FailureLimiter(OF_STRANGERS_PER_MINUTE, nanoTime);
        this.day = new FailureLimiter(keptMax / DAYS_TO_FILL, Duration.ofDays(1), nanoTime);
    }

    /** Records the failure of {@code context} and answers it. */
    void answer(RoutingContext context) {
        Problem problem = Problems.of(context);
        AuditEntry entry = problem == null ? null : entry(context, problem);
        // Without the database there is no use in waiting for it once more.
        boolean first = problem == null || problem.status() < UNAVAILABLE;
        boolean stranger = context.get(ApiNames.PRINCIPAL) == null;
        if (first) {
            record(entry, stranger);
        }
        Problems.answer(context);
        if (!first) {
            record(entry, stranger);
        }
    }

    private @Nullable AuditEntry entry(RoutingContext context, Problem problem) {
        Principal principal = context.get(ApiNames.PRINCIPAL);
        Failure failure = context.failure() instanceof FailureException known ? known.failure() : null;
        boolean token = context.request().getHeader(HttpHeaders.AUTHORIZATION) != null;
        boolean wanted = !Access.isSafe(context.request())
                || failure instanceof Failure.Forbidden
                || (failure instanceof Failure.Unauthorized && token);
        if (!wanted || (principal == null && isTooMany())) {
            return null;
        }
        String named = failure instanceof Failure.Unauthorized wrong ? wrong.who() : null;
        Operation operation = context.get(ApiNames.OPERATION);
        return new AuditEntry(
                principal != null ? principal.name() : named != null ? named : UNKNOWN,
                clients.address(context.request()),
                operation == null ? context.request().method().name() : operation.getOperationId(),
                problem.status() < 500 ? AuditOutcome.REFUSED : AuditOutcome.FAILED,
                problem.status(),
                null,
                entities(context.normalizedPath()),
                detail(problem, failure));
    }

    private boolean isTooMany() {
        if (minute.waitSeconds(UNKNOWN) > 0 || day.waitSeconds(UNKNOWN) > 0) {
            leftOut++;
            return true;
        }
        minute.failed(UNKNOWN);
        day.failed(UNKNOWN);
        return false;
    }

    /** Returns what a path names: {@code /api/v1/routes/shop} the route. */
    private static List<String> entities(String path) {
        String[] segments = path.substring(ApiNames.BASE_PATH.length()).split("/", -1);
        if (segments.length < 3 || !segments[2].matches("[A-Za-z0-9._@-]{1,64}")) {
            return List.of();
        }
        String kind = switch (segments[1]) {
            case "users" -> "USER";
            case "tokens" -> "TOKEN";
            case "gateways" -> "GATEWAY";
            default ->
                ResourceType.ALL.stream()
                        .filter(type -> type.path().equals(segments[1]))
                        .map(type -> type.kind().name())
                        .findFirst()
                        .orElse("");
        };
        return kind.isEmpty() ? List.of() : List.of(kind + "/" + segments[2]);
    }

    /** Returns the kind of the problem, and where it lies; values are nobody's business, but for those of the head. */
    private String detail(Problem problem, @Nullable Failure failure) {
        String text = problem.type().substring(problem.type().lastIndexOf(':') + 1);
        if (failure instanceof Failure.Forbidden forbidden) {
            text += ": " + forbidden.detail();
        } else if (!problem.errors().isEmpty()) {
            text += ": " + problem.errors().stream().map(FieldError::pointer).collect(Collectors.joining(" "));
        }
        if (leftOut > 0) {
            text = leftOut + " refusals before are left out; " + text;
            leftOut = 0;
        }
        return text;
    }

    /**
     * Records refusals one after the other: however many requests are refused at once, the database has room for the
     * others.
     */
    private void record(@Nullable AuditEntry entry, boolean stranger) {
        if (entry == null) {
            return;
        }
        if (recording) {
            Promise<Void> recorded = Promise.promise();
            pending.add(new Pending(entry, recorded));
            if (!stranger) {
                recorded.future().await();
            }
            return;
        }
        recording = true;
        audit.append(entry);
        if (pending.isEmpty()) {
            recording = false;
        } else {
            Vertx.currentContext().runOnContext(nothing -> rest());
        }
    }

    private void rest() {
        Pending next = pending.poll();
        while (next != null) {
            audit.append(next.entry);
            next.recorded.complete();
            next = pending.poll();
        }
        recording = false;
    }
}
