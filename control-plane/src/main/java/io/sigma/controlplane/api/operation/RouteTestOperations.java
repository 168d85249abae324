package io.sigma.controlplane.api.operation;

import io.sigma.check.Faults;
import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.api.contract.Contract;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.resource.Draft;
import io.sigma.controlplane.resource.StateService;
import io.sigma.controlplane.store.Store;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.BatchOperation;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayState;
import io.sigma.model.Role;
import io.sigma.model.RouteTest;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.RouteAnswer;
import io.sigma.snapshot.RouteQuestion;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotBody;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.value.Addresses;
import io.sigma.value.InvalidValue;
import io.sigma.value.Mismatch;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks a gateway what would become of a request. */
final class RouteTestOperations {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long AGAIN_MILLIS = 100;
    private static final int CHANGES_MAX = 100_000;

    private final Vertx vertx;
    private final Contract contract;
    private final Store store;
    private final Fleet fleet;
    private final StateService states;
    private final int operationsMax;

    /** @param operationsMax that a draft may have */
    RouteTestOperations(
            Vertx vertx, Contract contract, Store store, Fleet fleet, StateService states, int operationsMax) {
        this.vertx = vertx;
        this.contract = contract;
        this.store = store;
        this.fleet = fleet;
        this.states = states;
        this.operationsMax = operationsMax;
    }

    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put(ApiNames.TEST_ROUTE, this::testRoute);
    }

    private Answer testRoute(ApiCall call) {
        requireFew(call.body().path("operations").size());
        FailureException.refuse(contract.check(call.operationId(), call.body()));
        RouteTest test = read(call);
        if (!test.operations().isEmpty()) {
            requireDraft(call, test);
        }
        Gateway gateway = gateway(test.gatewayId());
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        @Nullable RouteAnswer behind = null;
        while (true) {
            RouteAnswer answer = ask(gateway, test, call, deadline, behind);
            if (answer.result() != null) {
                return Answer.ok(answer.result());
            }
            if (answer.failure() != RouteAnswer.Failure.BASE || System.nanoTime() - deadline > 0) {
                throw failure(gateway, test, answer);
            }
            // It is about to serve the newest revision, or this control plane to know it.
            behind = answer;
            pause();
        }
    }

    /** Before the contract is asked, whose bound is the largest that the setting can have. */
    private void requireFew(int operations) {
        if (operations > operationsMax) {
            throw FailureException.invalid(
                    "/operations", Mismatch.of("a list of " + operations + " items", "at most " + operationsMax));
        }
    }

    /** A draft is tried with the rights and within the bounds of a write. */
    private void requireDraft(ApiCall call, RouteTest test) {
        call.who().require(Role.EDITOR);
        if (test.revision() != null) {
            throw FailureException.invalid(
                    "/revision",
                    Mismatch.of(test.revision(), "no revision, because operations apply to the newest one"));
        }
    }

    private static RouteTest read(ApiCall call) {
        RouteTest test;
        try {
            test = Json.read(call.body(), RouteTest.class);
            Addresses.parse(test.clientAddress());
        } catch (InvalidValue e) {
            throw FailureException.invalid(Faults.of("/clientAddress", e));
        } catch (IllegalArgumentException e) {
            throw FailureException.invalid(Faults.plain("", String.valueOf(e.getMessage())));
        }
        if (test.host() == null && test.url().startsWith("/")) {
            throw FailureException.invalid("/host", Mismatch.absent("a host, because the URL has only a path"));
        }
        return test;
    }

    private Gateway gateway(@Nullable String wanted) {
        List<Gateway> live = fleet.gateways().stream()
                .filter(gateway -> gateway.state() != GatewayState.LOST)
                .toList();
        if (wanted == null) {
            return live.stream()
                    .min(Comparator.comparing(Gateway::lag))
                    .orElseThrow(() -> new FailureException(new Failure.Unavailable(
                            "No gateway is connected, and only a gateway can run a route test.")));
        }
        return live.stream()
                .filter(gateway -> gateway.id().equals(wanted))
                .findFirst()
                .orElseThrow(() -> fleet.gateway(wanted).isPresent()
                        ? new FailureException(new Failure.Unavailable("Gateway \"" + wanted + "\" is not connected."))
                        : FailureException.invalid("/gatewayId", Mismatch.quoted(wanted, "a gateway")));
    }

    /**
     * @param behind what the gateway said when it was asked before, which is what it says when it is not waited for any
     *     longer
     */
    private RouteAnswer ask(
            Gateway gateway, RouteTest test, ApiCall call, long deadline, @Nullable RouteAnswer behind) {
        RouteQuestion question =
                test.operations().isEmpty() ? question(gateway.id(), test) : draft(gateway.id(), test, call);
        try {
            Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
            return fleet.ask(question, left.plusMillis(AGAIN_MILLIS)).await();
        } catch (FailureException e) {
            throw e;
        } catch (Exception e) {
            if (behind != null) {
                return behind;
            }
            boolean silent = e instanceof RuntimeException || e instanceof TimeoutException;
            throw unavailable(gateway, silent ? "does not answer" : String.valueOf(e.getMessage()));
        }
    }

    private RouteQuestion question(String gatewayId, RouteTest test) {
        String id = UUID.randomUUID().toString();
        Snapshot current = store.log().current();
        Long revision = test.revision();
        if (revision == null) {
            return RouteQuestion.of(id, gatewayId, test, 0, 0, "", null);
        }
        List<EntityChange> changes = back(current, revision);
        byte[] compressed = new SnapshotBody(revision, current.hash().hex(), changes).compress();
        if (changes.size() > CHANGES_MAX || compressed.length > SnapshotProtocol.CHUNK_BYTES) {
            throw FailureException.invalid(
                    "/revision", Mismatch.of(revision, "a revision that differs less from the newest one"));
        }
        return RouteQuestion.of(
                id,
                gatewayId,
                test,
                revision,
                current.revision(),
                current.hash().hex(),
                compressed);
    }

    private RouteQuestion draft(String gatewayId, RouteTest test, ApiCall call) {
        Draft draft = states.draft(
                ChangeOperations.operations(test.operations()), call.who().scope());
        Snapshot base = draft.base();
        byte[] compressed = new SnapshotBody(base.revision(), base.hash().hex(), draft.changes()).compress();
        if (compressed.length > SnapshotProtocol.CHUNK_BYTES) {
            throw FailureException.invalid(
                    "/operations",
                    Mismatch.of(
                            compressed.length + " bytes when compressed", "at most " + SnapshotProtocol.CHUNK_BYTES));
        }
        return RouteQuestion.of(
                UUID.randomUUID().toString(),
                gatewayId,
                test.toBuilder().operations(List.of()).build(),
                base.revision(),
                base.revision(),
                base.hash().hex(),
                compressed);
    }

    private List<EntityChange> back(Snapshot current, long revision) {
        if (revision == current.revision()) {
            return List.of();
        }
        if (revision > current.revision()) {
            throw notKept(revision);
        }
        List<EntityChange> back = store.revisions().back(current.revision(), revision, CHANGES_MAX);
        if (!store.revisions().isKept(revision)) {
            throw notKept(revision);
        }
        return back;
    }

    private static FailureException notKept(long revision) {
        return FailureException.invalid("/revision", Mismatch.of(revision, "a revision that is kept"));
    }

    private static FailureException failure(Gateway gateway, RouteTest test, RouteAnswer answer) {
        String pointer = answer.pointer() == null ? "" : answer.pointer();
        return switch (answer.failure()) {
            case BASE -> unavailable(gateway, "serves revision " + answer.detail() + ", not the newest one");
            case REFUSED -> refused(test, pointer, answer.detail());
            case INVALID -> FailureException.invalid(Faults.received(pointer, String.valueOf(answer.detail())));
            case FAILED -> unavailable(gateway, "failed: " + answer.detail());
            case null -> unavailable(gateway, "answered nothing");
        };
    }

    private static FailureException refused(RouteTest test, String pointer, @Nullable String detail) {
        return test.operations().isEmpty()
                ? FailureException.invalid(Faults.received(
                        "/revision", test.revision() + " cannot be served: " + told(pointer, String.valueOf(detail))))
                : FailureException.invalid(Faults.received(place(test.operations(), pointer), String.valueOf(detail)));
    }

    /** Gateways of older versions repeat the pointer in the detail. */
    private static String told(String pointer, String detail) {
        return pointer.isEmpty() || detail.startsWith(pointer) ? detail : pointer + ": " + detail;
    }

    /** Returns where in the operations a place of the whole state is. */
    private static String place(List<BatchOperation> operations, String pointer) {
        for (int i = 0; i < operations.size(); i++) {
            BatchOperation operation = operations.get(i);
            String resource = JsonPointer.of(ResourceType.of(operation.kind()).field(), operation.id());
            if (pointer.equals(resource) || pointer.startsWith(resource + "/")) {
                return JsonPointer.of("operations", i, "body") + pointer.substring(resource.length());
            }
        }
        return "/operations";
    }

    private static FailureException unavailable(Gateway gateway, String what) {
        return new FailureException(new Failure.Unavailable("Gateway \"" + gateway.id() + "\" " + what + "."));
    }

    /** Waits without holding up other requests: they have the same context, which a thread that sleeps would keep. */
    private void pause() {
        vertx.timer(AGAIN_MILLIS).await();
    }
}
