package io.sigma.snapshot;

import io.sigma.model.Certificate;
import io.sigma.model.Consumer;
import io.sigma.model.Kind;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Every resource of the configuration by kind and id. Immutable. */
public final class ConfigState {

    private static final ConfigState EMPTY = new ConfigState(new EnumMap<>(Kind.class));

    private final Map<Kind, ShardedMap<String, Object>> resources;

    private ConfigState(Map<Kind, ShardedMap<String, Object>> resources) {
        this.resources = resources;
    }

    /** Returns the state without any resource. */
    public static ConfigState empty() {
        return EMPTY;
    }

    /** Returns this state after {@code changes}, in their size; what did not change is shared with this one. */
    public ConfigState with(Collection<EntityChange> changes) {
        Map<Kind, Map<String, @Nullable Object>> edits = new EnumMap<>(Kind.class);
        for (EntityChange change : changes) {
            edits.computeIfAbsent(change.kind(), kind -> new HashMap<>()).put(change.id(), change.resource());
        }
        Map<Kind, ShardedMap<String, Object>> copy = new EnumMap<>(resources);
        edits.forEach((kind, ofKind) ->
                copy.put(kind, resources.getOrDefault(kind, ShardedMap.empty()).with(ofKind)));
        return new ConfigState(copy);
    }

    /**
     * Calls {@code action} for each resource of a type that is another one than in {@code before}, in no order. It
     * costs what changed where this state came from {@code before}, and else a look at each resource.
     */
    @SuppressWarnings("unchecked")
    public <T> void forEachChange(ConfigState before, ResourceType<T> type, ShardedMap.Change<String, T> action) {
        ShardedMap<String, T> now = (ShardedMap<String, T>) resources.getOrDefault(type.kind(), ShardedMap.empty());
        ShardedMap<String, T> then =
                (ShardedMap<String, T>) before.resources.getOrDefault(type.kind(), ShardedMap.empty());
        ShardedMap.forEachChange(then, now, action);
    }

    /** Returns the resources of a type by id, in no order. */
    @SuppressWarnings("unchecked")
    public <T> Map<String, T> of(ResourceType<T> type) {
        return (Map<String, T>) resources.getOrDefault(type.kind(), ShardedMap.empty());
    }

    public Map<String, ProxyServer> proxyServers() {
        return of(ResourceType.PROXY_SERVER);
    }

    public Map<String, Router> routers() {
        return of(ResourceType.ROUTER);
    }

    public Map<String, Route> routes() {
        return of(ResourceType.ROUTE);
    }

    public Map<String, ProxyPass> proxyPasses() {
        return of(ResourceType.PROXY_PASS);
    }

    public Map<String, Certificate> certificates() {
        return of(ResourceType.CERTIFICATE);
    }

    public Map<String, Upstream> upstreams() {
        return of(ResourceType.UPSTREAM);
    }

    public Map<String, Consumer> consumers() {
        return of(ResourceType.CONSUMER);
    }

    /** Calls {@code action} with the kind and the resource of every entity, referenced kinds first. */
    public void forEach(BiConsumer<ResourceType<?>, Object> action) {
        for (ResourceType<?> type : ResourceType.ALL) {
            of(type).values().forEach(value -> action.accept(type, value));
        }
    }

    /** Returns the number of entities. */
    public int size() {
        return resources.values().stream().mapToInt(Map::size).sum();
    }
}
