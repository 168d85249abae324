package io.sigma.controlplane.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.value.InvalidValue;
import io.sigma.value.PathPattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PathTemplateTest {

    @ParameterizedTest
    @CsvSource({
        "/pets, /pets",
        "/, /",
        "/pets/, /pets/",
        "/pets/{petId}, /pets/:petId",
        "/pets/{pet-id}/toys/{toy.id}, /pets/:pet_id/toys/:toy_id",
        "/a/{id}/b/{id}, /a/:id/b/:id_",
        "/files/{name}.{ext}, ~/files/[^/]+\\.[^/]+",
        "/repos/{owner}/{repo}/compare/{base}...{head}, ~/repos/[^/]+/[^/]+/compare/[^/]+\\.\\.\\.[^/]+",
        "/users/:batch, ~/users/:batch",
        "/items:search, /items:search",
        "/:items, ~/:items",
        "/a/*, ~/a/\\*",
        "/a+b (c), /a+b%20(c)",
        "/über, /%C3%BCber",
        "/a/./b//c, /a/b/c",
    })
    void aTemplateBecomesAPathThatGatewaysKnow(String template, String path) {
        assertThat(PathTemplate.route(template)).isEqualTo(path);
        assertThat(PathPattern.parse(path)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pets", "/pets?status=sold", "/x#Action=Y", ""})
    void whatNoRequestCanHaveAsItsPathIsRefused(String template) {
        assertThatThrownBy(() -> PathTemplate.route(template)).isInstanceOf(InvalidValue.class);
    }
}
