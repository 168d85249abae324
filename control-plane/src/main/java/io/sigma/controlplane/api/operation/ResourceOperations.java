package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.Cursors;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.api.request.Parameters;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.resource.ResourceService;
import io.sigma.controlplane.resource.WriteResult;
import io.sigma.controlplane.search.ListOrder;
import io.sigma.controlplane.search.SearchIndex;
import io.sigma.controlplane.search.SearchQuery;
import io.sigma.controlplane.search.SortedIds;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.CommitResult;
import io.sigma.controlplane.store.CommitResult.Outcome;
import io.sigma.controlplane.store.database.Page;
import io.sigma.controlplane.store.history.Stored;
import io.sigma.json.Json;
import io.sigma.model.Deleted;
import io.sigma.model.RevisionResult;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.ResourceId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The operations on resources, alike for all kinds. */
final class ResourceOperations {

    /** Parameters of a list that do not name a field. */
    private static final Set<String> PAGING = Set.of("cursor", "limit", "name", "q", "sort", "offset", "ids");

    /** The bodies of answers, which the contract has once for each kind. */
    private record Listing(
            List<?> items,
            @Nullable String nextCursor,
            @Nullable Integer total) {}

    private record Envelope(Object resource, RevisionResult revision) {}

    private final ResourceService resources;
    private final Secrets secrets;
    private final SearchIndex search;
    private final Acknowledgements acknowledgements;

    ResourceOperations(
            ResourceService resources, SearchIndex search, Secrets secrets, Acknowledgements acknowledgements) {
        this.search = search;
        this.secrets = secrets;
        this.resources = resources;
        this.acknowledgements = acknowledgements;
    }

    /** Adds the handlers of one kind by operation id. */
    <T> void addTo(Map<String, OperationHandler> handlers, ResourceType<T> type) {
        String one = type.model().getSimpleName();
        String many =
                Character.toUpperCase(type.field().charAt(0)) + type.field().substring(1);
        handlers.put("list" + many, call -> list(type, call));
        handlers.put("create" + one, call -> create(type, call));
        handlers.put("get" + one, call -> get(type, call));
        handlers.put("put" + one, call -> put(type, call));
        handlers.put("patch" + one, call -> patch(type, call));
        handlers.put("delete" + one, call -> delete(type, call));
    }

    private <T> Answer list(ResourceType<T> type, ApiCall call) {
        Parameters parameters = call.parameters();
        Map<String, String> filters = new HashMap<>(parameters.values());
        filters.keySet().removeAll(PAGING);
        if (Stream.of("sort", "offset", "ids").anyMatch(name -> parameters.get(name) != null)) {
            return sorted(type, filters, parameters);
        }
        String after = Cursors.id(parameters.get("cursor"));
        String query = parameters.get("q");
        Page<String, T> page = query == null
                ? resources.page(type, after, parameters.limit(), parameters.get("name"), new LinkedHashMap<>(filters))
                : found(type, query, after, filters, parameters);
        return Answer.ok(new Listing(shown(type, page.items()), Cursors.of(page.last()), null));
    }

    private <T> Answer sorted(ResourceType<T> type, Map<String, String> filters, Parameters parameters) {
        for (String other : List.of("cursor", "name")) {
            if (parameters.get(other) != null) {
                throw new FailureException(
                        new Failure.BadRequest(other + ": together with sort, offset or ids (expected: offset, q)"));
            }
        }
        String query = parameters.get("q");
        String ids = parameters.get("ids");
        SortedIds page = search.sorted(
                type,
                query == null ? null : SearchQuery.parse(query),
                order(type, parameters.get("sort")),
                ids == null ? Set.of() : Set.copyOf(List.of(ids.split(",", -1))),
                filters,
                parameters.integer("offset", 0),
                parameters.limit());
        return Answer.ok(new Listing(shown(type, resources.those(type, page.ids())), null, page.total()));
    }

    private static ListOrder order(ResourceType<?> type, @Nullable String sort) {
        return ListOrder.parse(type, sort == null ? "id" : sort)
                .orElseThrow(
                        () -> new FailureException(new Failure.BadRequest("sort: \"" + sort + "\" (expected: one of "
                                + String.join(", ", ListOrder.fields(type)) + ", with or without - in front)")));
    }

    private <T> List<Object> shown(ResourceType<T> type, List<T> items) {
        return items.stream().map(item -> shown(type, item)).toList();
    }

    private <T> Page<String, T> found(
            ResourceType<T> type, String query, String after, Map<String, String> filters, Parameters parameters) {
        if (parameters.get("name") != null) {
            throw new FailureException(new Failure.BadRequest("name: together with q (expected: only one of the two)"));
        }
        int limit = parameters.limit();
        List<String> ids = search.ids(type, SearchQuery.parse(query), after, limit + 1, filters);
        List<String> shown = ids.subList(0, Math.min(limit, ids.size()));
        return new Page<>(resources.those(type, shown), ids.size() > limit ? shown.getLast() : null);
    }

    private <T> Answer get(ResourceType<T> type, ApiCall call) {
        Stored<T> stored = resources.get(type, call.id());
        return Answer.ok(shown(type, stored.value())).with("ETag", stored.tag());
    }

    private <T> Answer put(ResourceType<T> type, ApiCall call) {
        Acknowledgements.timeout(call.parameters());
        return written(type, resources.put(type, call.id(), call.body(), call.precondition(), call.write()), call);
    }

    private <T> Answer create(ResourceType<T> type, ApiCall call) {
        Acknowledgements.timeout(call.parameters());
        return written(type, resources.create(type, call.body(), call.write()), call);
    }

    private <T> Answer patch(ResourceType<T> type, ApiCall call) {
        Acknowledgements.timeout(call.parameters());
        return written(type, resources.patch(type, call.id(), call.body(), call.precondition(), call.write()), call);
    }

    private <T> Answer delete(ResourceType<T> type, ApiCall call) {
        Acknowledgements.timeout(call.parameters());
        CommitResult committed = resources.delete(type, call.id(), call.precondition(), call.write());
        return Answer.ok(new Deleted(acknowledgements.of(committed, call.parameters())));
    }

    private <T> Answer written(ResourceType<T> type, WriteResult<T> written, ApiCall call) {
        RevisionResult revision = acknowledgements.of(written.committed(), call.parameters());
        Envelope body = new Envelope(shown(type, written.stored().value()), revision);
        if (written.committed().outcome() == Outcome.DRY_RUN) {
            return Answer.ok(body);
        }
        Answer answer = new Answer(
                written.created() ? 201 : 200,
                body,
                Map.of("ETag", written.stored().tag()));
        String location = ApiNames.BASE_PATH + "/" + type.path() + "/"
                + ResourceId.toSegment(type.id(written.stored().value()));
        return written.created() ? answer.with("Location", location) : answer;
    }

    /** Returns the resource without what is never shown. */
    private Object shown(ResourceType<?> type, Object value) {
        return secrets.has(type.kind()) ? secrets.without(type.kind(), Json.tree(value)) : value;
    }
}
