package io.sigma.controlplane.fleet;

import io.sigma.controlplane.callback.Subscribers;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayAnswer;
import io.sigma.model.GatewayState;
import io.sigma.model.GatewayWaiver;
import io.sigma.model.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of every gateway, in memory: from the gateways that are connected to this control plane and, through the
 * database, from those of the others. Thread-safe. A message of a gateway updates that gateway alone. All gateways are
 * updated when the newest revision changes or a time limit passes, and the lock is held meanwhile.
 */
final class GatewayRegistry {

    static final int GATEWAYS_MAX = 10_000;
    static final int WAITS_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(GatewayRegistry.class);

    /** The state of a gateway that listeners were notified of last. */
    private record Told(
            long revision,
            @Nullable String stateHash,
            GatewayState state,
            @Nullable Refusal refusal,
            @Nullable GatewayWaiver waiver) {

        static Told of(Gateway gateway) {
            return new Told(
                    gateway.revision(), gateway.stateHash(), gateway.state(), gateway.refusal(), gateway.waiver());
        }
    }

    /**
     * Apart from what it says, all that the answer of a gateway depends on.
     *
     * @param known whether history has what it serves
     * @param foreign whether what it refuses is of another history
     */
    private record Standing(boolean live, boolean known, boolean foreign) {}

    private final @Nullable String controlPlaneId;
    private final Histories histories;
    private final Duration lostAfter;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Subscribers<Gateway> listeners = new Subscribers<>("gateways");

    /**
     * Until when others' gateways can be judged: when the table was read last. Before the first time nothing is known
     * of them.
     */
    private volatile Instant sighted = Instant.MAX;

    private volatile Map<String, GatewayWaiver> waived = Map.of();

    // Guarded by this.
    private final Map<String, GatewayRow> rows = new TreeMap<>();
    private final Map<String, Told> told = new HashMap<>();
    private final List<Answers> waits = new ArrayList<>();
    /** The standing of each gateway as {@link #waits} counted it; a change counts the gateway again. */
    private final Map<String, Standing> standings = new HashMap<>();

    GatewayRegistry(Histories histories, Duration lostAfter, InstantSource clock, LongSupplier nanoTime) {
        this(histories, lostAfter, clock, nanoTime, null);
    }

    /**
     * As the other, for a control plane that shares the table of gateways with others.
     *
     * @param controlPlaneId whose gateways are heard here; those of others are only read of
     */
    GatewayRegistry(
            Histories histories,
            Duration lostAfter,
            InstantSource clock,
            LongSupplier nanoTime,
            @Nullable String controlPlaneId) {
        this.controlPlaneId = controlPlaneId;
        this.histories = histories;
        this.lostAfter = lostAfter;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /**
     * Takes in what a control plane says of a gateway, unless another one has seen it later. What one control plane
     * says comes in order.
     *
     * @return the row that was known before, null when the gateway is new
     */
    @Nullable
    GatewayRow update(GatewayRow row) {
        GatewayRow before;
        synchronized (this) {
            before = rows.get(row.id());
            if (before == null && rows.size() >= GATEWAYS_MAX && !makeRoom()) {
                LOG.warn("Gateway {} is ignored: {} are known already", row.id(), rows.size());
                return null;
            }
            if (before != null
                    && !before.controlPlane().equals(row.controlPlane())
                    && before.lastSeen().isAfter(row.lastSeen())) {
                return before;
            }
            rows.put(row.id(), row);
        }
        spoke(row);
        return before;
    }

    /** Drops the gateway that was lost first, if one is. To be called under the lock. */
    private boolean makeRoom() {
        GatewayRow lost = GatewayRow.seenFirst(rows.values(), row -> !isLive(row, clock.instant()));
        told.remove(lost == null ? "" : lost.id());
        return lost != null && rows.remove(lost.id(), lost);
    }

    private void spoke(GatewayRow row) {
        Gateway news;
        Map<Answers, List<GatewayAnswer>> complete = new HashMap<>();
        synchronized (this) {
            Instant now = clock.instant();
            news = news(row, now);
            Standing standing = standing(row, now);
            standings.put(row.id(), standing);
            note(row, standing.live());
            takeComplete(complete, now);
        }
        tell(complete, news == null ? List.of() : List.of(news));
    }

    private Standing standing(GatewayRow row, Instant now) {
        return new Standing(isLive(row, now), row.isKnown(histories), row.refusesOther(histories));
    }

    /** Notes in each wait what one gateway says. To be called under the lock. */
    private void note(GatewayRow row, boolean live) {
        for (Answers wait : waits) {
            if (live) {
                wait.note(row, nanoTime.getAsLong());
            } else {
                wait.drop(row.id());
            }
        }
    }

    /**
     * Notes in each wait what has changed by itself: by time, by a newer revision, and by gateways that were dropped.
     * To be called under the lock.
     */
    private void noteChanges(Instant now) {
        for (GatewayRow row : rows.values()) {
            Standing standing = standing(row, now);
            if (!standing.equals(standings.put(row.id(), standing))) {
                note(row, standing.live());
            }
        }
        if (standings.size() > rows.size()) {
            standings.keySet().removeIf(id -> {
                boolean dropped = !rows.containsKey(id);
                if (dropped) {
                    waits.forEach(wait -> wait.drop(id));
                }
                return dropped;
            });
        }
    }

    /** Takes the waits out that are over. To be called under the lock. */
    private void takeComplete(Map<Answers, List<GatewayAnswer>> complete, Instant now) {
        for (Iterator<Answers> each = waits.iterator(); each.hasNext(); ) {
            Answers wait = each.next();
            if (wait.isComplete()) {
                complete.put(wait, answers(wait, now));
                each.remove();
            }
        }
    }

    /**
     * Returns how a gateway is seen now; null when that is what listeners were told last. To be called under the lock.
     */
    private @Nullable Gateway news(GatewayRow row, Instant now) {
        Gateway view = view(row, now);
        Told what = Told.of(view);
        return what.equals(told.put(row.id(), what)) ? null : view;
    }

    /**
     * Notes that the table of gateways was read: while it cannot be, the gateways of other control planes are not lost
     * for that, since nobody could have told.
     */
    void sighted() {
        sighted = clock.instant();
    }

    /** Returns the moment by which {@code row} is judged: now, or when others were last heard of. */
    private Instant judged(GatewayRow row, Instant now) {
        Instant last = sighted;
        return row.controlPlane().equals(controlPlaneId) || last.isAfter(now) ? now : last;
    }

    private boolean isLive(GatewayRow row, Instant now) {
        return row.isLive(judged(row, now), lostAfter);
    }

    private Gateway view(GatewayRow row, Instant now) {
        return row.view(histories, judged(row, now), lostAfter, waived.get(row.id()));
    }

    private List<GatewayAnswer> answers(Answers wait, Instant now) {
        return wait.of(rows.values().stream().filter(row -> isLive(row, now)).toList(), nanoTime.getAsLong());
    }

    /** Returns the gateways that are lost and did not say that they stop: what they serve is not known. */
    List<GatewayAnswer> silent(long revision) {
        Instant now = clock.instant();
        Answers asked = new Answers(revision, Extent.ALL, histories, nanoTime.getAsLong());
        synchronized (this) {
            List<GatewayRow> lost = rows.values().stream()
                    .filter(row -> !row.status().stopping() && !isLive(row, now))
                    .toList();
            return asked.of(lost, nanoTime.getAsLong());
        }
    }

    /** Drops gateways that were last seen before {@code limit}. */
    void forget(Instant limit) {
        synchronized (this) {
            rows.values().removeIf(row -> row.lastSeen().isBefore(limit));
            told.keySet().retainAll(rows.keySet());
        }
    }

    /** Drops gateways that are shut out: nobody waits for them. */
    void remove(Set<String> ids) {
        synchronized (this) {
            rows.keySet().removeAll(ids);
            told.keySet().removeAll(ids);
        }
        changed();
    }

    /** To be called when the newest revision has changed, and every second: gateways are lost by time alone. */
    void changed() {
        List<Gateway> changed = new ArrayList<>();
        Map<Answers, List<GatewayAnswer>> complete = new HashMap<>();
        synchronized (this) {
            Instant now = clock.instant();
            // The clock has gone back since: whoever is there still speaks again, and who is not is lost soon.
            rows.replaceAll((id, row) ->
                    row.lastSeen().isAfter(now) ? new GatewayRow(row.status(), row.controlPlane(), now) : row);
            for (GatewayRow row : rows.values()) {
                Gateway news = news(row, now);
                if (news != null) {
                    changed.add(news);
                }
            }
            noteChanges(now);
            takeComplete(complete, now);
        }
        tell(complete, changed);
    }

    /** Not to be called under the lock: what listeners do is not known. */
    private void tell(Map<Answers, List<GatewayAnswer>> complete, List<Gateway> changed) {
        complete.forEach((wait, answers) -> wait.promise().tryComplete(answers));
        changed.forEach(listeners::tell);
    }

    /** Returns a wait that completes when every live gateway has answered, or with {@link #giveUp}. */
    Answers await(long revision) {
        return await(revision, Extent.ALL);
    }

    /** As {@link #await(long)}; with {@link Extent#QUORUM} it completes when that is reached or cannot be. */
    Answers await(long revision, Extent extent) {
        Answers wait = new Answers(revision, extent, histories, nanoTime.getAsLong());
        synchronized (this) {
            Instant now = clock.instant();
            noteChanges(now);
            List<GatewayAnswer> answers = answers(wait, now);
            if (wait.isComplete() || waits.size() >= WAITS_MAX) {
                wait.promise().complete(answers);
            } else {
                waits.add(wait);
            }
        }
        return wait;
    }

    /** Completes {@code wait} with PENDING for those that have not answered. */
    void giveUp(Answers wait) {
        List<GatewayAnswer> answers;
        synchronized (this) {
            if (!waits.remove(wait)) {
                return;
            }
            answers = answers(wait, clock.instant());
        }
        wait.promise().tryComplete(answers);
    }

    /** Returns the live gateways, each with the control plane that it hangs on. */
    Map<String, String> live() {
        Map<String, String> live = new TreeMap<>();
        Instant now = clock.instant();
        synchronized (this) {
            for (GatewayRow row : rows.values()) {
                if (isLive(row, now)) {
                    live.put(row.id(), row.controlPlane());
                }
            }
        }
        return live;
    }

    /** Returns the control plane that a live gateway hangs on; null when it is not live. Looks at that one alone. */
    @Nullable
    String controlPlaneOf(String id) {
        GatewayRow row;
        synchronized (this) {
            row = rows.get(id);
        }
        return row != null && isLive(row, clock.instant()) ? row.controlPlane() : null;
    }

    /** From now on nobody's writes are held up by what these gateways refuse. */
    void waive(Map<String, GatewayWaiver> waivers) {
        waived = Map.copyOf(waivers);
        changed();
    }

    /** Returns whether the gateway still serves what {@code row} says. */
    synchronized boolean isSaid(GatewayRow row) {
        GatewayRow latest = rows.get(row.id());
        return latest != null
                && latest.status().revision() == row.status().revision()
                && latest.status().stateHash().equals(row.status().stateHash());
    }

    boolean isWaived(String id) {
        return waived.containsKey(id);
    }

    /**
     * Returns {@code revision}, whose state has {@code stateHash}, with the live gateways that refuse it; empty when
     * none does.
     */
    Optional<RefusedRevision> refused(long revision, String stateHash) {
        Instant now = clock.instant();
        List<GatewayRow> live;
        synchronized (this) {
            live = rows.values().stream().filter(row -> isLive(row, now)).toList();
        }
        return RefusedRevision.of(revision, stateHash, live, waived.keySet());
    }

    /** Returns every gateway, ordered by id. */
    List<Gateway> gateways() {
        Instant now = clock.instant();
        Collection<GatewayRow> copy;
        synchronized (this) {
            copy = List.copyOf(rows.values());
        }
        return copy.stream().map(row -> view(row, now)).toList();
    }

    Optional<Gateway> gateway(String id) {
        GatewayRow row;
        synchronized (this) {
            row = rows.get(id);
        }
        return Optional.ofNullable(row).map(known -> view(known, clock.instant()));
    }

    void onChange(Consumer<Gateway> listener) {
        listeners.add(listener);
    }
}
