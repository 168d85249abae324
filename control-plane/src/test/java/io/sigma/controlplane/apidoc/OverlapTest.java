package io.sigma.controlplane.apidoc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OverlapTest {

    @ParameterizedTest
    @CsvSource({
        // a literal or a longer path before a parameter
        "GET, /admin/me, GET, /admin/:a",
        "GET, /a/x/:c, GET, /a/:b/:c",
        "GET, /a/x/:c, GET, /a/:b/y",
        "*, /admin/me, GET, /admin/:a",
        // the same path, with a method
        "GET, /admin, *, /admin",
        "GET, /admin/:b, *, /admin/:a",
        // whole segments before expressions
        "GET, /health, GET, ~/.+",
        "GET, /v1/a/b, GET, ~/v1/.+",
        "GET, /v1/:a/b, GET, ~/v1/.*",
        "GET, /v1/:a/:b, GET, ~/v1/.+/x",
        "POST, /jobs/:id, POST, ~/jobs/[^/]+:cancel",
        "GET, /a/b.json, GET, ~/a/[^/]+\\.json",
        // longer expressions before shorter ones
        "GET, ~/v1/x/.+, GET, ~/v1/.+",
        "GET, ~/v1/[^/]+:do, GET, ~/v1/.+",
    })
    void aNewOperationThatGatewaysTryFirstTakesRequests(String method, String fresh, String methods, String path) {
        assertThat(isTaken(method, fresh, methods, path)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /admin/me, GET, /admin/:a",
        "GET, /admin/:a, GET, /admin/me",
        "GET, /a/:b/y, GET, /a/x/:c",
        "GET, /admin/me/x, GET, /admin/:a",
        "GET, /other, GET, /admin/:a",
        "*, /admin, GET, /admin",
        "GET, ~/.+, GET, /health",
        "GET, /v2/a, GET, ~/v1/.+",
        "GET, /v1/a/b, GET, ~/v1/[^/]+:do",
        "GET, ~/v1/.+, GET, ~/v1/x/.+",
        "GET, ~/v2/xxxxxx/.+, GET, ~/v1/.+",
        "GET, /a/b, GET, ~/a/.",
        "GET, /a/b, GET, ~/a/b\\",
        "GET, ~/a/[^/]+[^/]+, GET, ~/a/(b|c)",
        "GET, /a/bxjson, GET, ~/a/[^/]+\\.json",
    })
    void anOtherOneDoesNot(String method, String fresh, String methods, String path) {
        assertThat(isTaken(method, fresh, methods, path)).isFalse();
    }

    private static OpenApiOperation operation(String method, String path) {
        return new OpenApiOperation("x", method + " " + path, "/paths", methods(method), path, null, null, "", "");
    }

    private static boolean isTaken(String method, String fresh, String methods, String path) {
        OpenApiOperation operation = operation(method, fresh);
        return new Overlap(List.of(operation)).first(methods(methods), path) != null;
    }

    private static List<String> methods(String text) {
        return text.equals("*") ? List.of() : List.of(text);
    }
}
