package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.analysis.AnalysisView;
import io.sigma.controlplane.analysis.Analyst;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.Cursors;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.api.request.Parameters;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.model.Analysis;
import io.sigma.model.Kind;
import io.sigma.model.Severity;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The findings of the configuration. */
final class AnalysisOperations {

    private static final String PLACE =
            "(" + names(Severity.values()) + ")/(" + names(Kind.values()) + ")/([0-9]{1,6})/([A-Za-z0-9._-]{1,64})";

    private final Analyst analyst;
    private final Fleet fleet;

    AnalysisOperations(Analyst analyst, Fleet fleet) {
        this.fleet = fleet;
        this.analyst = analyst;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("getAnalysis", this::getAnalysis);
    }

    private Answer getAnalysis(ApiCall call) {
        Parameters parameters = call.parameters();
        AnalysisView.Place after = place(parameters.get("cursor"));
        AnalysisView ofState = analyst.view().await();
        // It is no property of the state: gateways tell it.
        AnalysisView view = fleet.refused().map(ofState::withRefused).orElse(ofState);
        AnalysisView.Page page = view.page(
                after,
                parameters.limit(),
                finding -> fits(parameters.get("severity"), finding.severity().name())
                        && fits(parameters.get("kind"), finding.kind().name())
                        && fits(parameters.get("id"), finding.id())
                        && fits(parameters.get("rule"), finding.rule()));
        return Answer.ok(new Analysis(
                view.revision(),
                view.errors(),
                view.warnings(),
                view.infos(),
                page.items(),
                Cursors.of(text(page.last()))));
    }

    private static String names(Enum<?>[] constants) {
        return Arrays.stream(constants).map(Enum::name).collect(Collectors.joining("|"));
    }

    private static boolean fits(@Nullable String wanted, String value) {
        return wanted == null || wanted.equals(value);
    }

    private static @Nullable String text(AnalysisView.@Nullable Place place) {
        return place == null ? null : place.severity() + "/" + place.kind() + "/" + place.index() + "/" + place.id();
    }

    private static AnalysisView.@Nullable Place place(@Nullable String cursor) {
        if (cursor == null) {
            return null;
        }
        List<String> parts = Cursors.parts(cursor, PLACE);
        return new AnalysisView.Place(
                Severity.valueOf(parts.get(0)),
                Kind.valueOf(parts.get(1)),
                parts.get(3),
                Integer.parseInt(parts.get(2)));
    }
}
