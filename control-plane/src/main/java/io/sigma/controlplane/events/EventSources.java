package io.sigma.controlplane.events;

import io.sigma.controlplane.analysis.Analyst;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.fleet.RefusedRevision;
import io.sigma.controlplane.store.history.RevisionFollower;
import io.sigma.json.Json;
import io.sigma.model.AnswerKind;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayAnswer;
import io.sigma.model.GatewayState;
import io.sigma.model.NodeChange;
import io.sigma.model.Refusal;
import io.sigma.model.Revision;
import java.util.List;

/**
 * Tells the log of events what this control plane hears. Of a revision, of the findings and that a gateway is lost all
 * control planes tell, and the log takes it once; of gateways and nodes the one tells that they hang on. Thread-safe.
 */
public final class EventSources {

    private final EventLog log;
    private final Fleet fleet;
    private final String controlPlaneId;
    /** True if it was ever told: that nothing is refused is no news before. */
    private volatile boolean toldRefused;

    private EventSources(EventLog log, Fleet fleet, String controlPlaneId) {
        this.log = log;
        this.fleet = fleet;
        this.controlPlaneId = controlPlaneId;
    }

    /** From now on {@code log} is told. */
    public static void connect(
            EventLog log, String controlPlaneId, RevisionFollower revisions, Fleet fleet, Analyst analyst) {
        EventSources sources = new EventSources(log, fleet, controlPlaneId);
        revisions.onRevision(sources::revision);
        fleet.onChange(gateway -> log.tell("gateway " + gateway.id(), () -> sources.gateway(gateway.id())));
        fleet.onChange(gateway -> log.tell("refused", sources::refused));
        fleet.onNodeChange(sources::node);
        analyst.onChange(sources::analysis);
    }

    private void revision(Revision revision) {
        NewEvent event = new NewEvent(
                Event.REVISION, Event.REVISION, revision.number(), revision.stateHash(), Json.text(revision));
        log.tell("revision " + revision.number(), () -> List.of(event));
    }

    private void analysis(Analyst.Change change) {
        NewEvent event = new NewEvent(
                "analysis",
                "analysis",
                change.counts().revision(),
                String.valueOf(change.mark()),
                Json.text(change.counts()));
        log.tell("analysis", () -> List.of(event));
    }

    /**
     * All control planes tell it, and the log takes it once: of the newest revision, also that nobody refuses it any
     * more.
     */
    private List<NewEvent> refused() {
        RefusedRevision refused = fleet.refused().orElse(null);
        String mark = refused == null ? "" : refused.revision() + " " + refused.waived() + " " + refused.refusals();
        io.sigma.model.RefusedRevision told = refused == null
                ? io.sigma.model.RefusedRevision.builder().revision(0L).build()
                : io.sigma.model.RefusedRevision.builder()
                        .revision(refused.revision())
                        .detail(refused.text())
                        .gateways(List.copyOf(refused.refusals().keySet()))
                        .refusal(refused.first())
                        .build();
        boolean nothing = refused == null && !toldRefused;
        toldRefused |= refused != null;
        return nothing ? List.of() : List.of(new NewEvent("refused", "refused", 0, mark, Json.text(told)));
    }

    private void node(NodeChange change) {
        String subject = "node " + change.gatewayId() + " " + change.upstreamId() + " " + change.url();
        String mark = change.event().at() + " " + change.event().to() + " "
                + change.event().cause();
        NewEvent event = new NewEvent("node", subject, 0, mark, Json.text(change));
        log.tell(subject + " " + mark, () -> List.of(event));
    }

    /** Not what was heard but how it is now: what is heard on several threads need not come in order. */
    private List<NewEvent> gateway(String id) {
        Gateway gateway = fleet.gateway(id).orElse(null);
        if (gateway == null) {
            return List.of();
        }
        Refusal refusal = gateway.refusal();
        String refused = refusal == null ? "" : refusal.revision() + " " + refusal.pointer() + " " + refusal.message();
        boolean lost = gateway.state() == GatewayState.LOST;
        boolean mine = controlPlaneId.equals(gateway.controlPlane());
        NewEvent state = new NewEvent(
                "gateway",
                "gateway " + id,
                0,
                gateway.state() + " " + gateway.revision() + " " + refused,
                Json.text(gateway));
        if (lost) {
            return List.of(state);
        }
        return mine ? List.of(state, answer(gateway, refused)) : List.of();
    }

    private static NewEvent answer(Gateway gateway, String refused) {
        Refusal refusal = gateway.refusal();
        boolean nack = refusal != null && refusal.revision() > gateway.revision();
        GatewayAnswer.Builder answer = GatewayAnswer.builder()
                .gatewayId(gateway.id())
                .answer(nack ? AnswerKind.NACK : AnswerKind.ACK)
                .revision(gateway.revision());
        return new NewEvent(
                "ack",
                "ack " + gateway.id(),
                0,
                gateway.revision() + " " + (nack ? refused : ""),
                Json.text((nack ? answer.refusal(refusal) : answer).build()));
    }
}
