package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.api.request.Parameters;
import io.sigma.controlplane.search.SearchIndex;
import io.sigma.controlplane.search.SearchQuery;
import java.util.Map;

/** Finding resources of every kind. */
final class SearchOperations {

    private static final int LIMIT_DEFAULT = 10;

    private final SearchIndex index;

    SearchOperations(SearchIndex index) {
        this.index = index;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("search", this::search);
    }

    private Answer search(ApiCall call) {
        Parameters parameters = call.parameters();
        SearchQuery query = SearchQuery.parse(parameters.required("q"));
        return Answer.ok(index.find(query, parameters.integer("limit", LIMIT_DEFAULT)));
    }
}
