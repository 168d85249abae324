package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.analysis.Analyst;
import io.sigma.controlplane.api.request.Parameters;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Extent;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.store.CommitResult;
import io.sigma.controlplane.store.CommitResult.Outcome;
import io.sigma.model.Finding;
import io.sigma.model.GatewayAnswer;
import io.sigma.model.RevisionResult;
import io.sigma.snapshot.EntityChange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Says in which revision a write is, and waits for the gateways when the request asks for it. */
final class Acknowledgements {

    private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

    /** The longest that a write may wait for gateways to acknowledge it. */
    static final Duration TIMEOUT_MAX = Duration.ofSeconds(60);

    /** The longest wait of a write for its findings. */
    private static final Duration FINDINGS_WAIT = Duration.ofMillis(500);

    /** A dry run is made to find out: it has more patience. */
    static final Duration DRY_FINDINGS_WAIT = Duration.ofSeconds(5);

    private final Fleet fleet;
    private final Analyst analyst;

    Acknowledgements(Fleet fleet, Analyst analyst) {
        this.fleet = fleet;
        this.analyst = analyst;
    }

    /** Refuses a wrong `timeout` before anything is written. */
    static Duration timeout(Parameters parameters) {
        String text = parameters.get("timeout");
        if (text == null) {
            return TIMEOUT_DEFAULT;
        }
        Duration timeout = text.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                : Duration.ofSeconds(Long.parseLong(text.substring(0, text.length() - 1)));
        if (timeout.compareTo(TIMEOUT_MAX) > 0) {
            throw new FailureException(new Failure.BadRequest(
                    "timeout: \"" + text + "\" (expected: at most " + TIMEOUT_MAX.toSeconds() + "s)"));
        }
        return timeout;
    }

    /** Returns what became of {@code committed}, once the gateways have answered where the request waits for them. */
    RevisionResult of(CommitResult committed, Parameters parameters) {
        Extent extent = committed.durable() ? extent(parameters.get("wait")) : null;
        List<GatewayAnswer> answers =
                extent == null ? List.of() : answers(committed.revision(), extent, timeout(parameters));
        List<Finding> findings = committed.changed() ? findings(committed) : List.of();
        return RevisionResult.builder()
                .number(committed.revision())
                .stateHash(committed.hash().hex())
                .changed(committed.changed())
                .dryRun(committed.outcome() == Outcome.DRY_RUN ? true : null)
                .repeated(committed.outcome() == Outcome.REPEATED ? true : null)
                .complete(extent == null ? null : extent.isReached(answers))
                .gateways(answers)
                .votes(committed.votes())
                .findings(findings == null ? List.of() : findings)
                .analysed(findings == null ? false : null)
                .build();
    }

    /**
     * Returns the answers of all known gateways, ordered by id, once the live ones have answered or the time is over.
     */
    private List<GatewayAnswer> answers(long revision, Extent extent, Duration timeout) {
        Map<String, GatewayAnswer> answers = new TreeMap<>();
        fleet.silent(revision).forEach(answer -> answers.put(answer.gatewayId(), answer));
        List<GatewayAnswer> said = fleet.answers(revision, extent, timeout).await();
        fleet.silent(revision).forEach(answer -> answers.put(answer.gatewayId(), answer));
        said.forEach(answer -> answers.put(answer.gatewayId(), answer));
        return List.copyOf(answers.values());
    }

    /** Returns null when they are not known in time. */
    private @Nullable List<Finding> findings(CommitResult committed) {
        return switch (committed.outcome()) {
            case COMMITTED ->
                analyst.newWith(committed.revision(), FINDINGS_WAIT).await();
            case DRY_RUN ->
                analyst.newWith(committed.revision() - 1, changes(committed), DRY_FINDINGS_WAIT)
                        .await();
            case UNCHANGED, REPEATED -> List.of();
        };
    }

    private static List<EntityChange> changes(CommitResult committed) {
        return committed.edits().stream()
                .map(edit -> new EntityChange(edit.kind(), edit.id(), edit.after()))
                .toList();
    }

    private static @Nullable Extent extent(@Nullable String wait) {
        return switch (wait) {
            case "all" -> Extent.ALL;
            case "quorum" -> Extent.QUORUM;
            case null, default -> null;
        };
    }
}
