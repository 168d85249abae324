package io.sigma.controlplane.apidoc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
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

    @Test
    void twoThousandOperationsAreComparedWithAllOfTwoThousandRoutes() {
        String deep = "/segment-of-some-length".repeat(20);
        List<OpenApiOperation> fresh = IntStream.range(0, 2_000)
                .mapToObj(i -> operation("GET", deep + "/new" + i + "/{id}"))
                .toList();
        Overlap overlap = new Overlap(fresh);
        for (int i = 0; i < 2_000; i++) {
            assertThat(overlap.first(List.of("GET"), deep + "/old" + i + "/:id"))
                    .isNull();
        }
        assertThat(overlap.first(List.of("GET"), deep + "/:a/:b")).isEqualTo(fresh.getFirst());
        assertThat(overlap.isCut()).isFalse();
    }

    @Test
    void itSaysWhenNotEverythingWasCompared() {
        Overlap overlap = new Overlap(List.of(operation("GET", "/a/x"), operation("GET", "/b/y")), 3);
        assertThat(overlap.first(List.of("GET"), "/c/:id")).isNull();
        assertThat(overlap.isCut()).isTrue();
        assertThat(overlap.first(List.of("GET"), "/b/:id")).isNull();
    }

    /** Such a comparison takes the product of both lengths. */
    @Test
    void longTextsWithinExpressionsCountAsWhatTheyCost() {
        String text = "a".repeat(1_000);
        List<OpenApiOperation> fresh = IntStream.range(0, 2_000)
                .mapToObj(i -> operation("GET", "/" + text + text))
                .toList();
        Overlap overlap = new Overlap(fresh);
        for (int i = 0; i < 2_000 && !overlap.isCut(); i++) {
            assertThat(overlap.first(List.of("GET"), "~/[^/]+" + text + "b[^/]+"))
                    .isNull();
        }
        assertThat(overlap.isCut()).isTrue();
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
