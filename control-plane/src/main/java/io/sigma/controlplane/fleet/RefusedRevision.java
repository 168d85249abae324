package io.sigma.controlplane.fleet;

import io.sigma.model.Refusal;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.ResourceType;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The newest revision, which live gateways refuse. Immutable.
 *
 * @param revision the newest one
 * @param refusals of the gateways that refuse it, by id; not empty
 * @param waived who of them holds up nobody's writes: an operator said so, or it serves nothing yet
 * @param served whether another live gateway serves it: then it is the gateways that are wrong rather than the revision
 * @param good the oldest of the revisions that these gateways serve instead; 0 when one serves none
 */
public record RefusedRevision(
        long revision, SortedMap<String, Refusal> refusals, Set<String> waived, boolean served, long good) {

    /** Gateways that are named in a text; of more only the number is said. */
    private static final int NAMED_MAX = 5;

    /**
     * A resource that is named by the pointer of a refusal.
     *
     * @param within the rest of the pointer, into the resource
     */
    public record Culprit(ResourceType<?> type, String id, String within) {}

    public RefusedRevision {
        refusals = Collections.unmodifiableSortedMap(new TreeMap<>(refusals));
        waived = Set.copyOf(waived);
    }

    /**
     * Returns {@code revision}, whose state has {@code stateHash}, with those of {@code live} that refuse it; empty
     * when none does.
     *
     * @param waived gateways that hold up nobody's writes, because an operator said so
     */
    static Optional<RefusedRevision> of(
            long revision, String stateHash, Collection<GatewayRow> live, Set<String> waived) {
        SortedMap<String, Refusal> refusals = new TreeMap<>();
        Set<String> excused = new HashSet<>();
        boolean served = false;
        long good = Long.MAX_VALUE;
        for (GatewayRow row : live) {
            GatewayStatus status = row.status();
            Refusal refusal = status.refusal();
            if (status.revision() == revision && status.stateHash().equals(stateHash)) {
                served = true;
            } else if (refusal != null
                    && refusal.revision() == revision
                    && (refusal.stateHash() == null || refusal.stateHash().equals(stateHash))) {
                refusals.put(row.id(), refusal);
                good = Math.min(good, status.revision());
                if (status.revision() == 0 || waived.contains(row.id())) {
                    excused.add(row.id());
                }
            }
        }
        return refusals.isEmpty()
                ? Optional.empty()
                : Optional.of(new RefusedRevision(revision, refusals, excused, served, good));
    }

    /** Returns whether nobody's writes are held up by it. */
    public boolean isWaived() {
        return waived.containsAll(refusals.keySet());
    }

    /** Returns the refusal of the first gateway that is not waived, or of the first. */
    public Refusal first() {
        return refusals.entrySet().stream()
                .filter(entry -> !waived.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(() -> refusals.firstEntry().getValue());
    }

    /** Returns the resource that {@code pointer}, into the whole state, leads into; empty when it leads into none. */
    public static Optional<Culprit> culprit(String pointer) {
        String[] segments = pointer.split("/", 4);
        if (segments.length < 3) {
            return Optional.empty();
        }
        String id = segments[2].replace("~1", "/").replace("~0", "~");
        String within = segments.length == 4 ? "/" + segments[3] : "";
        return ResourceType.ALL.stream()
                .filter(type -> type.field().equals(segments[1]))
                .<Culprit>map(type -> new Culprit(type, id, within))
                .findFirst();
    }

    /**
     * Returns, for people:
     * {@code gateways edge-1, edge-2 refuse revision 7 because of /routes/a/path: "x" (expected: …)}.
     */
    public String text() {
        String names = refusals.keySet().stream().limit(NAMED_MAX).collect(Collectors.joining(", "));
        String more = refusals.size() > NAMED_MAX ? " and " + (refusals.size() - NAMED_MAX) + " more" : "";
        String verb = refusals.size() == 1 ? " refuses revision " : " refuse revision ";
        Refusal first = first();
        String pointer = first.pointer();
        boolean told = pointer == null || first.message().startsWith(pointer);
        return (refusals.size() == 1 ? "gateway " : "gateways ") + names + more + verb + revision + " because of "
                + (told ? "" : pointer + ": ") + first.message();
    }
}
