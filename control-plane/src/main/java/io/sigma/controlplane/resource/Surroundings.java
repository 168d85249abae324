package io.sigma.controlplane.resource;

import io.sigma.check.ConsumerCheck;
import io.sigma.check.Faults;
import io.sigma.check.OpenAddresses;
import io.sigma.check.StateCheck;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.store.history.ResourceReader;
import io.sigma.controlplane.store.history.Stored;
import io.sigma.model.Consumer;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.model.ProxyServer;
import io.sigma.model.Referrer;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.ResourceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks changes that shall be made together against what is there: references, what is deleted although others refer
 * to it, and addresses that are taken. Confined to one write.
 */
final class Surroundings {

    private static final int REFERRERS_MAX = 100;

    private final ResourceReader reader;
    private final List<EntityChange> changes;
    /** The written resources by kind and id. Null for a deleted resource. */
    private final Map<Kind, Map<String, @Nullable Object>> changed = new EnumMap<>(Kind.class);

    private Surroundings(ResourceReader reader, List<EntityChange> changes) {
        this.reader = reader;
        this.changes = changes;
        for (EntityChange change : changes) {
            changed.computeIfAbsent(change.kind(), kind -> new HashMap<>()).put(change.id(), change.resource());
        }
    }

    /**
     * Tells what stands in the way of {@code changes}, each of another entity.
     *
     * @param finding of a resource that is written, with a pointer into it
     * @param refusal of a resource that is deleted
     */
    static void check(
            ResourceReader reader,
            List<EntityChange> changes,
            BiConsumer<EntityChange, FieldError> finding,
            BiConsumer<EntityChange, Failure.Referenced> refusal) {
        Surroundings surroundings = new Surroundings(reader, changes);
        surroundings.ids(finding);
        ImportLabel.check(reader, changes, finding);
        surroundings.references(finding);
        surroundings.listeners(finding);
        StreamSurroundings.check(reader, changes, finding);
        surroundings.consumers(finding);
        Map<EntityChange, List<Referrer>> referrers = surroundings.referrers();
        surroundings.certificates(finding, referrers);
        referrers.forEach((change, some) -> refusal.accept(change, referenced(change, some)));
    }

    private static Failure.Referenced referenced(EntityChange change, List<Referrer> referrers) {
        String label = ResourceType.of(change.kind()).label();
        List<Referrer> some = referrers.stream()
                .sorted(Comparator.comparing(Referrer::kind).thenComparing(Referrer::id))
                .distinct()
                .limit(REFERRERS_MAX)
                .toList();
        return new Failure.Referenced("The " + label + " \"" + change.id() + "\" is referred to.", some);
    }

    private Map<String, @Nullable Object> changed(Kind kind) {
        return changed.getOrDefault(kind, Map.of());
    }

    /** Returns all resources of a type as they will be. */
    private <T> Map<String, T> after(ResourceType<T> type) {
        Map<String, T> after = new HashMap<>();
        for (Map.Entry<String, Stored<T>> stored : reader.all(type).entrySet()) {
            after.put(stored.getKey(), stored.getValue().value());
        }
        changed(type.kind()).forEach((id, value) -> {
            if (value == null) {
                after.remove(id);
            } else {
                after.put(id, type.cast(value));
            }
        });
        return after;
    }

    /** Checks that new ids can stand in a path. A resource of an older version with another id may still be changed. */
    private void ids(BiConsumer<EntityChange, FieldError> finding) {
        for (EntityChange change : changes) {
            if (change.resource() != null
                    && !ResourceId.isValid(change.id())
                    && reader.existing(change.kind(), List.of(change.id())).isEmpty()) {
                finding.accept(change, Faults.invalid("/id", "\"" + change.id() + "\"", ResourceId.EXPECTATION));
            }
        }
    }

    /** Checks that the references of written resources lead to resources of the resulting state. */
    private void references(BiConsumer<EntityChange, FieldError> finding) {
        Map<Kind, Set<String>> known = targets();
        for (EntityChange change : changes) {
            if (change.resource() != null) {
                missing(ResourceType.of(change.kind()), change.resource(), known)
                        .forEach(error -> finding.accept(change, error));
            }
        }
    }

    /** Returns, by kind, those ids that are referred to by what is written, and that will be there. */
    private Map<Kind, Set<String>> targets() {
        Map<Kind, Set<String>> wanted = new EnumMap<>(Kind.class);
        for (EntityChange change : changes) {
            if (change.resource() != null) {
                targets(ResourceType.of(change.kind()), change.resource(), wanted);
            }
        }
        Map<Kind, Set<String>> known = new EnumMap<>(Kind.class);
        wanted.forEach((kind, ids) -> {
            Map<String, @Nullable Object> ofKind = changed(kind);
            Set<String> there = new HashSet<>();
            Set<String> elsewhere = new HashSet<>();
            for (String id : ids) {
                if (ofKind.get(id) != null) {
                    there.add(id);
                } else if (!ofKind.containsKey(id)) {
                    elsewhere.add(id);
                }
            }
            if (!elsewhere.isEmpty()) {
                there.addAll(reader.existing(kind, elsewhere));
            }
            known.put(kind, there);
        });
        return known;
    }

    private static <T> void targets(ResourceType<T> type, Object resource, Map<Kind, Set<String>> wanted) {
        for (ResourceType.Reference<T> reference : type.references()) {
            for (ResourceType.Target target : reference.targets().apply(type.cast(resource))) {
                wanted.computeIfAbsent(reference.target(), kind -> new HashSet<>())
                        .add(target.id());
            }
        }
    }

    private static <T> List<FieldError> missing(ResourceType<T> type, Object resource, Map<Kind, Set<String>> known) {
        List<FieldError> errors = new ArrayList<>();
        for (ResourceType.Reference<T> reference : type.references()) {
            Set<String> ofKind = known.getOrDefault(reference.target(), Set.of());
            for (ResourceType.Target target : reference.targets().apply(type.cast(resource))) {
                if (!ofKind.contains(target.id())) {
                    errors.add(StateCheck.missing(reference, target));
                }
            }
        }
        return errors;
    }

    /** Returns what is deleted with what still refers to it: not what is deleted or written together with it. */
    private Map<EntityChange, List<Referrer>> referrers() {
        Map<Kind, Map<String, EntityChange>> deleted = new EnumMap<>(Kind.class);
        for (EntityChange change : changes) {
            if (change.resource() == null) {
                deleted.computeIfAbsent(change.kind(), kind -> new HashMap<>()).put(change.id(), change);
            }
        }
        Map<EntityChange, List<Referrer>> found = new HashMap<>();
        deleted.forEach((kind, ofKind) -> {
            for (ResourceType<?> type : ResourceType.ALL) {
                Map<String, @Nullable Object> touched = changed(type.kind());
                reader.referring(type, kind, ofKind.keySet(), REFERRERS_MAX + touched.size())
                        .forEach((id, referrers) -> referrers.stream()
                                .filter(referrer -> !touched.containsKey(referrer.id()))
                                .forEach(referrer -> found.computeIfAbsent(ofKind.get(id), change -> new ArrayList<>())
                                        .add(referrer)));
            }
        });
        return found;
    }

    /** A proxy server that presents all certificates needs one. */
    private void certificates(
            BiConsumer<EntityChange, FieldError> finding, Map<EntityChange, List<Referrer>> referrers) {
        List<EntityChange> needing = changes.stream()
                .filter(change ->
                        change.resource() instanceof ProxyServer server && StateCheck.needsAnyCertificate(server))
                .toList();
        List<EntityChange> deleted = changes.stream()
                .filter(change -> change.kind() == Kind.CERTIFICATE && change.resource() == null)
                .toList();
        if ((needing.isEmpty() && deleted.isEmpty()) || anyCertificate(deleted.size())) {
            return;
        }
        needing.forEach(change -> finding.accept(change, StateCheck.uncertified()));
        List<Referrer> unchanged = deleted.isEmpty() ? List.of() : needing();
        if (!unchanged.isEmpty()) {
            deleted.forEach(change ->
                    referrers.computeIfAbsent(change, same -> new ArrayList<>()).addAll(unchanged));
        }
    }

    private boolean anyCertificate(int deleted) {
        Map<String, @Nullable Object> touched = changed(Kind.CERTIFICATE);
        return touched.values().stream().anyMatch(value -> value != null)
                || reader.page(ResourceType.CERTIFICATE, "", deleted + 1, null, Map.of()).items().stream()
                        .anyMatch(certificate -> !touched.containsKey(certificate.id()));
    }

    /** Returns the proxy servers that stay as they are and present all certificates. */
    private List<Referrer> needing() {
        Map<String, @Nullable Object> touched = changed(Kind.PROXY_SERVER);
        return reader.all(ResourceType.PROXY_SERVER).entrySet().stream()
                .filter(server -> !touched.containsKey(server.getKey())
                        && StateCheck.needsAnyCertificate(server.getValue().value()))
                .map(server -> new Referrer(Kind.PROXY_SERVER, server.getKey()))
                .toList();
    }

    /** No two consumers prove themselves with the same; the one that is written is the one that is refused. */
    private void consumers(BiConsumer<EntityChange, FieldError> finding) {
        Map<String, EntityChange> written = new HashMap<>();
        for (EntityChange change : changes) {
            if (change.resource() instanceof Consumer) {
                written.put(change.id(), change);
            }
        }
        if (!written.isEmpty()) {
            List<Consumer> all = new ArrayList<>(after(ResourceType.CONSUMER).values());
            ConsumerCheck.clashes(all, written.keySet()).forEach((id, error) -> finding.accept(written.get(id), error));
        }
    }

    /** Two enabled proxy servers cannot have one address; the one that is written is the one that is refused. */
    private void listeners(BiConsumer<EntityChange, FieldError> finding) {
        OpenAddresses open = null;
        for (EntityChange change : changes) {
            if (change.resource() instanceof ProxyServer server && server.enabled()) {
                if (open == null) {
                    open = new OpenAddresses();
                    after(ResourceType.PROXY_SERVER).values().stream()
                            .filter(ProxyServer::enabled)
                            .forEach(open::add);
                }
                ProxyServer other = open.other(server);
                if (other != null) {
                    finding.accept(change, StateCheck.clash(other, server));
                }
            }
        }
    }
}
