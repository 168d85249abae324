package io.sigma.controlplane.resource;

import io.sigma.check.StreamCheck;
import io.sigma.controlplane.store.history.ResourceReader;
import io.sigma.controlplane.store.history.Stored;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Referrer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that what is written agrees with what is there on what a proxy server speaks, as {@link StreamCheck} says. The
 * resource that is written is the one that is refused. Confined to one write.
 */
final class StreamSurroundings {

    /** More routers than this of one proxy server of TCP or TLS are not compared. */
    private static final int ROUTERS_MAX = 100_000;

    private final ResourceReader reader;
    private final BiConsumer<EntityChange, FieldError> finding;
    private final Map<String, @Nullable ProxyServer> servers = new HashMap<>();
    private final Map<String, @Nullable Router> routers = new HashMap<>();
    private final Map<String, @Nullable ProxyPass> passes = new HashMap<>();
    private final Map<Kind, Map<String, EntityChange>> written = new HashMap<>();
    private final Map<Kind, Set<String>> touched = new HashMap<>();

    private StreamSurroundings(
            ResourceReader reader, List<EntityChange> changes, BiConsumer<EntityChange, FieldError> finding) {
        this.reader = reader;
        this.finding = finding;
        for (EntityChange change : changes) {
            touched.computeIfAbsent(change.kind(), kind -> new HashSet<>()).add(change.id());
            if (change.resource() != null) {
                written.computeIfAbsent(change.kind(), kind -> new HashMap<>()).put(change.id(), change);
            }
        }
    }

    /** Tells what of {@code changes} does not agree with the rest. */
    static void check(ResourceReader reader, List<EntityChange> changes, BiConsumer<EntityChange, FieldError> finding) {
        StreamSurroundings surroundings = new StreamSurroundings(reader, changes, finding);
        surroundings.routers();
        surroundings.routes();
    }

    private void routers() {
        Set<String> ids = new TreeSet<>(ids(Kind.ROUTER));
        referring(Kind.PROXY_SERVER, changedServers(), ids);
        referring(Kind.PROXY_PASS, ids(Kind.PROXY_PASS), ids);
        load(ResourceType.ROUTER, ids, routers);
        load(ResourceType.PROXY_SERVER, serverIds(), servers);
        Set<String> named = new HashSet<>();
        Set<String> overlapping = new TreeSet<>();
        for (Router router : present(routers.values())) {
            if (router.proxyPassId() != null) {
                named.add(router.proxyPassId());
            }
        }
        load(ResourceType.PROXY_PASS, named, passes);
        for (String id : ids) {
            Router router = routers.get(id);
            ProxyServer server = router == null ? null : servers.get(router.proxyServerId());
            if (router == null || server == null) {
                continue;
            }
            ProxyPass pass = router.proxyPassId() == null ? null : passes.get(router.proxyPassId());
            StreamCheck.router(router, server, pass).forEach(error -> tell(router, server, pass, error));
            if (StreamCheck.passes(router, server) && written(Kind.ROUTER).containsKey(id)) {
                overlapping.add(router.proxyServerId());
                routesOf(router, server);
            }
        }
        overlapping.forEach(this::overlaps);
    }

    /** Returns the written proxy servers whose routers may not fit any more. */
    private Set<String> changedServers() {
        Set<String> ids = ids(Kind.PROXY_SERVER);
        if (ids.isEmpty()) {
            return ids;
        }
        Map<String, Stored<ProxyServer>> before = reader.findAll(ResourceType.PROXY_SERVER, ids);
        return ids.stream()
                .filter(id -> {
                    Stored<ProxyServer> stored = before.get(id);
                    EntityChange change = written(Kind.PROXY_SERVER).get(id);
                    return stored != null
                            && change != null
                            && change.resource() instanceof ProxyServer server
                            && (StreamCheck.isStream(server)
                                    || server.protocol() != stored.value().protocol());
                })
                .collect(Collectors.toSet());
    }

    private void tell(Router router, ProxyServer server, @Nullable ProxyPass pass, FieldError error) {
        EntityChange change = written(Kind.ROUTER).get(router.id());
        EntityChange ofServer = written(Kind.PROXY_SERVER).get(router.proxyServerId());
        EntityChange ofPass = pass == null ? null : written(Kind.PROXY_PASS).get(pass.id());
        if (change != null) {
            finding.accept(change, error);
        } else if (pass != null
                && ofPass != null
                && StreamCheck.passes(router, server)
                && error.pointer().equals("/proxyPassId")) {
            StreamCheck.pass(pass, server).forEach(each -> finding.accept(ofPass, each));
        } else if (ofServer != null) {
            finding.accept(ofServer, StreamCheck.unfit(server, router, error));
        }
    }

    /** A router that has routes cannot belong to a proxy server whose routers have none. */
    private void routesOf(Router router, ProxyServer server) {
        String routerId = router.id();
        Set<String> changed = touched.getOrDefault(Kind.ROUTE, Set.of());
        EntityChange change = written(Kind.ROUTER).get(routerId);
        reader
                .referring(ResourceType.ROUTE, Kind.ROUTER, List.of(routerId), changed.size() + 1)
                .getOrDefault(routerId, List.of())
                .stream()
                .filter(route -> !changed.contains(route.id()))
                .findFirst()
                .ifPresent(route -> {
                    if (change != null) {
                        finding.accept(change, StreamCheck.routed(router, server, route.id()));
                    }
                });
    }

    private void overlaps(String serverId) {
        Set<String> ids = new TreeSet<>();
        referring(Kind.PROXY_SERVER, List.of(serverId), ids);
        ids.removeAll(touched.getOrDefault(Kind.ROUTER, Set.of()));
        Map<String, @Nullable Router> others = new HashMap<>();
        load(ResourceType.ROUTER, ids, others);
        List<Router> all = new ArrayList<>(present(others.values()));
        written(Kind.ROUTER).values().forEach(change -> {
            if (change.resource() instanceof Router router
                    && router.proxyServerId().equals(serverId)) {
                all.add(router);
            }
        });
        StreamCheck.overlaps(all, written(Kind.ROUTER).keySet()).forEach((id, error) -> {
            EntityChange change = written(Kind.ROUTER).get(id);
            if (change != null) {
                finding.accept(change, error);
            }
        });
    }

    /** A route belongs to a router of HTTP. */
    private void routes() {
        List<EntityChange> all = List.copyOf(written(Kind.ROUTE).values());
        Set<String> ids = new HashSet<>();
        all.forEach(change -> {
            if (change.resource() instanceof Route route) {
                ids.add(route.routerId());
            }
        });
        load(ResourceType.ROUTER, ids, routers);
        load(ResourceType.PROXY_SERVER, serverIds(), servers);
        for (EntityChange change : all) {
            if (change.resource() instanceof Route route) {
                Router router = routers.get(route.routerId());
                ProxyServer server = router == null ? null : servers.get(router.proxyServerId());
                if (router != null && server != null && StreamCheck.passes(router, server)) {
                    finding.accept(change, StreamCheck.routed(route));
                }
            }
        }
    }

    private Map<String, EntityChange> written(Kind kind) {
        return written.getOrDefault(kind, Map.of());
    }

    private Set<String> ids(Kind kind) {
        return written(kind).keySet();
    }

    private Set<String> serverIds() {
        return present(routers.values()).stream().map(Router::proxyServerId).collect(Collectors.toSet());
    }

    private static List<Router> present(Collection<@Nullable Router> values) {
        List<Router> present = new ArrayList<>();
        for (Router value : values) {
            if (value != null) {
                present.add(value);
            }
        }
        return present;
    }

    /** Adds the stored routers that refer to {@code targets}. */
    private void referring(Kind kind, Collection<String> targets, Set<String> ids) {
        if (!targets.isEmpty()) {
            reader.referring(ResourceType.ROUTER, kind, targets, ROUTERS_MAX)
                    .values()
                    .forEach(some -> some.stream().map(Referrer::id).forEach(ids::add));
        }
    }

    /** Adds the resources as they will be; null for those that will not be there. */
    private <T> void load(ResourceType<T> type, Collection<String> ids, Map<String, @Nullable T> into) {
        Set<String> missing = new HashSet<>();
        for (String id : ids) {
            EntityChange change = written(type.kind()).get(id);
            if (change != null) {
                into.put(id, type.cast(Objects.requireNonNull(change.resource())));
            } else if (touched.getOrDefault(type.kind(), Set.of()).contains(id)) {
                into.put(id, null);
            } else if (!into.containsKey(id)) {
                missing.add(id);
            }
        }
        if (!missing.isEmpty()) {
            reader.findAll(type, missing).forEach((id, stored) -> into.put(id, stored.value()));
        }
    }
}
