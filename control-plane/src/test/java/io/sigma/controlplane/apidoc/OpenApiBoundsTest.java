package io.sigma.controlplane.apidoc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.model.FieldError;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The time and memory of an import are bounded by the length of the document, whatever its content: an author of
 * imports must not end the control plane.
 */
final class OpenApiBoundsTest {

    private static final OpenApiOptions OPTIONS =
            new OpenApiOptions("shop", "web", List.of(), List.of("http://10.0.0.1:80"), null, false, false);
    private static final int PATHS = 500;
    private static final String LONG = "x".repeat(200_000);

    @Test
    void operationThatManyPathsReferToIsHeldOnce() {
        String paths = IntStream.range(0, PATHS)
                .mapToObj(i -> "\"/p%d\":{\"$ref\":\"#/components/pathItems/a\"}".formatted(i))
                .collect(Collectors.joining(","));
        String document = """
                {"openapi":"3.1.0","info":{"title":"a"},"paths":{%s},"components":{"pathItems":{"a":{"get":{
                "operationId":"%s","tags":["%s"],"summary":"%s","description":"%s"}}}}}""".formatted(paths, LONG, LONG, LONG, LONG);
        long before = allocated();
        OpenApiPlan plan = OpenApiPlan.read(document, OPTIONS);
        assertThat(allocated() - before).isLessThan(64L << 20);
        assertThat(plan.operations()).hasSize(PATHS);
        assertThat(plan.operations().getFirst().tags()).isEmpty();
    }

    @Test
    void variablesOfServersDoNotMakeLongTexts() {
        String document = """
                {"openapi":"3.1.0","info":{"title":"a"},"paths":{"/a":{"get":{}}},
                "servers":[{"url":"http://h/%s","variables":{"a":{"default":"%s"}}}]}""".formatted("{a}".repeat(600), LONG);
        long before = allocated();
        OpenApiPlan plan = OpenApiPlan.read(document, OPTIONS);
        assertThat(allocated() - before).isLessThan(16L << 20);
        assertThat(plan.servers().base()).isEmpty();
        assertThat(plan.warnings()).extracting(FieldError::pointer).containsExactly("/servers/0/url");
    }

    @Test
    void warningsAreFewAndShort() {
        String keys =
                IntStream.range(0, 400).mapToObj(i -> "\"k%d\":1".formatted(i)).collect(Collectors.joining(","));
        String schemes = IntStream.range(0, 2_000)
                .mapToObj(i -> "\"s%d\":{\"$ref\":\"#/components/securitySchemes/a\"}".formatted(i))
                .collect(Collectors.joining(","));
        String document = """
                {"openapi":"3.1.0","info":{"title":"a"},"paths":{"/%s":{%s},"/b":{"get":{},%s}},"components":{"securitySchemes":{
                "a":{"type":"apiKey","in":"header","name":"%s"},%s}}}""".formatted("x".repeat(40_000), keys, keys, LONG, schemes);
        long before = allocated();
        OpenApiPlan plan = OpenApiPlan.read(document, OPTIONS);
        assertThat(allocated() - before).isLessThan(64L << 20);
        assertThat(plan.warnings())
                .hasSizeLessThanOrEqualTo(1_000)
                .allMatch(
                        warning -> warning.pointer().length() + warning.detail().length() < 10_000);
        assertThat(plan.operations()).extracting(OpenApiOperation::path).containsExactly("/b");
    }

    @Test
    void itemsWithManyFieldsAreReadOnce() {
        String keys = IntStream.range(0, 20_000)
                .mapToObj(i -> "\"k%d\":1".formatted(i))
                .collect(Collectors.joining(","));
        String paths = IntStream.range(0, 5_000)
                .mapToObj(i -> "\"/p%d\":{\"$ref\":\"#/components/pathItems/a\"}".formatted(i))
                .collect(Collectors.joining(","));
        String document = """
                {"openapi":"3.1.0","info":{"title":"a"},"paths":{"/b":{"get":{}},%s},"components":{"pathItems":{"a":{%s}}}}""".formatted(paths, keys);
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> OpenApiPlan.read(document, OPTIONS));
    }

    @Test
    void templatesOfManyVariablesAreComparedQuickly() {
        String paths = IntStream.range(0, 500)
                .mapToObj(i -> "\"/%s%d/{id}\":{\"get\":{}},\"/%s!%d/{z}:run\":{\"get\":{}}"
                        .formatted("-".repeat(1_900), i, "{a}-".repeat(100), i))
                .collect(Collectors.joining(","));
        String document = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"a\"},\"paths\":{" + paths + "}}";
        OpenApiPlan plan = assertTimeoutPreemptively(Duration.ofSeconds(10), () -> OpenApiPlan.read(document, OPTIONS));
        assertThat(plan.operations()).hasSize(1_000);
    }

    @Test
    void pathsWithoutEndAreRefused() {
        String paths = IntStream.range(0, 20_001)
                .mapToObj(i -> "\"/p%d\":{}".formatted(i))
                .collect(Collectors.joining(","));
        String document = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"a\"},\"paths\":{" + paths + "}}";
        assertThatThrownBy(() -> OpenApiPlan.read(document, OPTIONS))
                .isInstanceOfSatisfying(
                        FailureException.class,
                        e -> assertThat(e.failure())
                                .isInstanceOf(Failure.Invalid.class)
                                .asString()
                                .contains("/document/paths"));
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
