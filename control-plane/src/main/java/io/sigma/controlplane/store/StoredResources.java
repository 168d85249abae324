package io.sigma.controlplane.store;

import io.sigma.controlplane.store.history.ResourceReader;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.snapshot.ResourceType;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stored resources that a scope asks for, read in the transaction of the write. Waits for the database, on a
 * virtual thread.
 *
 * @param reader reads within the transaction of the write
 */
public record StoredResources(ResourceReader reader) implements WriteScope.Stored {

    private static final List<ResourceType<?>> WITH_PLUGINS =
            List.of(ResourceType.PROXY_SERVER, ResourceType.ROUTER, ResourceType.ROUTE, ResourceType.PROXY_PASS);

    @Override
    public Map<String, Object> find(Kind kind, Collection<String> ids) {
        return values(ResourceType.of(kind), ids);
    }

    private <T> Map<String, Object> values(ResourceType<T> type, Collection<String> ids) {
        Map<String, Object> values = new HashMap<>();
        reader.findAll(type, ids).forEach((id, stored) -> values.put(id, stored.value()));
        return values;
    }

    @Override
    public @Nullable String presenterOfOthers(Map<String, String> labels) {
        return reader.presenterWithout(Json.tree(labels).toString());
    }

    @Override
    public @Nullable String presenterOfOthers(String certificate, Map<String, String> labels) {
        return reader.presenterWithout(certificate, Json.tree(labels).toString());
    }

    @Override
    public @Nullable String aclOfOthers(String consumer, Collection<String> groups, Map<String, String> labels) {
        String wanted = Json.tree(labels).toString();
        for (ResourceType<?> type : WITH_PLUGINS) {
            String id = reader.aclWithout(type, consumer, groups, wanted);
            if (id != null) {
                return type.kind() + "/" + id;
            }
        }
        return null;
    }
}
