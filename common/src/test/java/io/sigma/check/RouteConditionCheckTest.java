package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.FieldError;
import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class RouteConditionCheckTest {

    static Stream<Arguments> badConditions() {
        return Stream.of(
                header("/headers/0/name", named("X Y").value("1")),
                header("/headers/0/name", named("x_y").value("1")),
                header("/headers/0/name", named("Host").value("a")),
                header("/headers/0/name", named("Upgrade").present(true)),
                header("/headers/0", named("X-A")),
                header("/headers/0", named("X-A").value("1").present(true)),
                header("/headers/0/regex", named("X-A").regex("(")),
                header("/headers/0/regex", named("X-A").regex("(?=a)")),
                header("/headers/1/name", named("X-A").value("1"), named("x-a").value("2")),
                row("/queryParameters/0", route().queryParameters(list(named("a b")))),
                row(
                        "/queryParameters/0/regex",
                        route().queryParameters(list(named("a").regex("[")))),
                row("/cookies/0/name", route().cookies(list(named("a;b").value("1")))),
                row("/cookies/0/regex", route().cookies(list(named("a").regex("*")))),
                row("/path", route().path("~/" + "a".repeat(1024))),
                row("/path", route().path("~/(a")),
                header("/headers/0/regex", named("X-A").regex("a".repeat(1025))),
                row("/clientAddresses/0", route().clientAddresses(List.of("10.0.0.0/33"))),
                row("/clientAddresses/1", route().clientAddresses(List.of("::1", "example.com"))));
    }

    private static Arguments header(String pointer, RouteCondition.Builder... conditions) {
        return row(pointer, route().headers(list(conditions)));
    }

    private static Arguments row(String pointer, Route.Builder route) {
        return Arguments.of(pointer, route.build());
    }

    private static RouteCondition.Builder named(String name) {
        return RouteCondition.builder().name(name);
    }

    private static List<RouteCondition> list(RouteCondition.Builder... conditions) {
        return Stream.of(conditions).map(RouteCondition.Builder::build).toList();
    }

    private static Route.Builder route() {
        return Route.builder().id("r").routerId("r").proxyPassId("p").path("/*");
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("badConditions")
    void conditionThatCouldNeverHoldIsNamed(String pointer, Route route) {
        assertThat(ResourceCheck.check(route)).extracting(FieldError::pointer).containsExactly(pointer);
        assertThat(ResourceCheck.check(route))
                .allSatisfy(error -> assertThat(error.detail()).contains("(expected: "));
    }

    @Test
    void everyKindOfConditionIsAccepted() {
        Route route = route().headers(list(
                        named("X-A").value(""),
                        named("X-A").regex("a.*"),
                        named("x-b").present(false)))
                .queryParameters(list(named("a b_c").value("ü")))
                .cookies(list(named("__Host-a").present(true)))
                .clientAddresses(List.of("10.0.0.0/8", "::1"))
                .build();
        assertThat(ResourceCheck.check(route)).isEmpty();
    }

    @Test
    void emptySegmentsOfAPatternAreLeftToTheRouter() {
        assertThat(ResourceCheck.check(route().path("/a//b").build())).isEmpty();
        assertThat(ResourceCheck.check(route().path("/a/../b").build()))
                .extracting(FieldError::pointer)
                .containsExactly("/path");
    }
}
