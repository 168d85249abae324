package io.sigma.fuzz;

import io.sigma.controlplane.apidoc.OpenApiOptions;
import io.sigma.controlplane.apidoc.OpenApiPlan;
import io.sigma.controlplane.failure.FailureException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Documents of OpenAPI, as they are imported. */
public final class OpenApiFuzz {

    private static final OpenApiOptions OPTIONS =
            new OpenApiOptions("api", "main", List.of(), List.of(), null, false, false);

    private OpenApiFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        OpenApiPlan plan;
        try {
            plan = OpenApiPlan.read(text, OPTIONS);
        } catch (FailureException e) {
            return;
        }
        if (plan.operations().isEmpty() || !plan.equals(OpenApiPlan.read(text, OPTIONS))) {
            throw new AssertionError("two plans of one document, or an empty one");
        }
    }
}
