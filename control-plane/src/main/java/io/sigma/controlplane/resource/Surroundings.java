package io.sigma.controlplane.resource;

import io.sigma.check.ConsumerCheck;
import io.sigma.check.StateCheck;
import io.sigma.controlplane.store.Page;
import io.sigma.controlplane.store.ResourceReader;
import io.sigma.controlplane.store.Stored;
import io.sigma.model.Certificate;
import io.sigma.model.Consumer;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.model.ProxyServer;
import io.sigma.model.Referrer;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
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

/** Checks resources that shall be written against what is there: references, and addresses that are taken. */
final class Surroundings {

    private Surroundings() {}

    /** Tells {@code finding} what is wrong; pointers are relative to the resource of the change. */
    static void check(ResourceReader reader, List<EntityChange> changes, BiConsumer<EntityChange, FieldError> finding) {
        Map<Kind, Set<String>> known = targets(reader, changes);
        for (EntityChange change : changes) {
            if (change.resource() != null) {
                missing(ResourceType.of(change.kind()), change.resource(), known)
                        .forEach(error -> finding.accept(change, error));
            }
        }
        listeners(reader, changes, finding);
        certificates(reader, changes, finding);
        consumers(reader, changes, finding);
    }

    /** A proxy server that presents all certificates needs one. */
    private static void certificates(
            ResourceReader reader, List<EntityChange> changes, BiConsumer<EntityChange, FieldError> finding) {
        boolean written = changes.stream().anyMatch(change -> change.resource() instanceof Certificate);
        for (EntityChange change : changes) {
            if (change.resource() instanceof ProxyServer server
                    && StateCheck.needsAnyCertificate(server)
                    && !written
                    && isEmpty(reader.page(ResourceType.CERTIFICATE, "", 1, null, Map.of()))) {
                finding.accept(change, StateCheck.uncertified());
            }
        }
    }

    private static boolean isEmpty(Page<?, ?> page) {
        return page.items().isEmpty();
    }

    /** Returns the proxy servers that present all certificates, when {@code id} is the only one. */
    static List<Referrer> needing(ResourceReader reader, String id) {
        Page<String, Certificate> some = reader.page(ResourceType.CERTIFICATE, "", 2, null, Map.of());
        boolean only =
                some.items().size() == 1 && id.equals(some.items().getFirst().id());
        return !only
                ? List.of()
                : reader.all(ResourceType.PROXY_SERVER).values().stream()
                        .filter(server -> StateCheck.needsAnyCertificate(server.value()))
                        .map(server -> new Referrer(
                                Kind.PROXY_SERVER, String.valueOf(server.value().id())))
                        .sorted(Comparator.comparing(Referrer::id))
                        .toList();
    }

    /** No two consumers prove themselves with the same; the one that is written is the one that is refused. */
    private static void consumers(
            ResourceReader reader, List<EntityChange> changes, BiConsumer<EntityChange, FieldError> finding) {
        Map<String, Consumer> written = new HashMap<>();
        for (EntityChange change : changes) {
            if (change.resource() instanceof Consumer consumer) {
                written.put(change.id(), consumer);
            }
        }
        if (written.isEmpty()) {
            return;
        }
        List<Consumer> all = new ArrayList<>(written.values());
        for (Stored<Consumer> stored : reader.all(ResourceType.CONSUMER).values()) {
            if (!written.containsKey(stored.value().id())) {
                all.add(stored.value());
            }
        }
        ConsumerCheck.clashes(all, written.keySet())
                .forEach((id, error) -> changes.stream()
                        .filter(change -> change.id().equals(id) && change.resource() instanceof Consumer)
                        .forEach(change -> finding.accept(change, error)));
    }

    /** Returns, by kind, those ids that {@code changes} refer to and that exist, or will. */
    private static Map<Kind, Set<String>> targets(ResourceReader reader, List<EntityChange> changes) {
        Map<Kind, Set<String>> wanted = new EnumMap<>(Kind.class);
        Map<Kind, Set<String>> known = new EnumMap<>(Kind.class);
        for (EntityChange change : changes) {
            if (change.resource() != null) {
                known.computeIfAbsent(change.kind(), kind -> new HashSet<>()).add(change.id());
                targets(ResourceType.of(change.kind()), change.resource(), wanted);
            }
        }
        wanted.forEach((kind, ids) -> {
            Set<String> ofKind = known.computeIfAbsent(kind, any -> new HashSet<>());
            ids.removeAll(ofKind);
            if (!ids.isEmpty()) {
                ofKind.addAll(reader.existing(kind, ids));
            }
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

    /** Two enabled proxy servers cannot have one address; the one that is written is the one that is refused. */
    private static void listeners(
            ResourceReader reader, List<EntityChange> changes, BiConsumer<EntityChange, FieldError> finding) {
        Map<String, ProxyServer> open = null;
        for (EntityChange change : changes) {
            if (change.resource() instanceof ProxyServer server && server.enabled()) {
                open = open == null ? servers(reader, changes) : open;
                ProxyServer other = occupant(server, open);
                if (other != null) {
                    finding.accept(change, StateCheck.clash(other, server));
                }
            }
        }
    }

    private static @Nullable ProxyServer occupant(ProxyServer server, Map<String, ProxyServer> open) {
        return open.values().stream()
                .filter(other -> !other.id().equals(server.id()) && StateCheck.sameAddress(other, server))
                .findFirst()
                .orElse(null);
    }

    private static Map<String, ProxyServer> servers(ResourceReader reader, List<EntityChange> changes) {
        Map<String, ProxyServer> servers = new HashMap<>();
        for (Stored<ProxyServer> stored : reader.all(ResourceType.PROXY_SERVER).values()) {
            servers.put(stored.value().id(), stored.value());
        }
        for (EntityChange change : changes) {
            if (change.resource() instanceof ProxyServer server) {
                servers.put(change.id(), server);
            }
        }
        servers.values().removeIf(server -> !server.enabled());
        return servers;
    }
}
