package io.sigma.controlplane.apidoc;

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
        "/files/{proxy+}, ~/files/.+",
        "/{proxy+}, ~/.+",
        "/v1/{+name}, ~/v1/.+",
        "/v1/{name=projects/*}, ~/v1/projects/[^/]+",
        "/v1/{name=projects/*/locations/*}:cancel, ~/v1/projects/[^/]+/locations/[^/]+:cancel",
        "/v1/{name=**}, ~/v1/.*",
        "/v1/{name=operations/**}, ~/v1/operations/.*",
        "/v1/{name=*}, /v1/:name",
        "/files/{path:path}, ~/files/.*",
        "/files/{path: .+}, ~/files/.+",
        "/files/{*rest}, ~/files/.*",
        "/files/{**rest}, ~/files/.*",
        "/files/{rest*}, ~/files/.*",
        "/users:batchGet, /users:batchGet",
        "/v1/customers/{id}:cancel, ~/v1/customers/[^/]+:cancel",
        "/a.b+c$/{x}.json, ~/a\\.b\\+c\\$/[^/]+\\.json",
        "/caf%c3%a9/{id}, /caf%C3%A9/:id",
    })
    void aTemplateBecomesAPathThatGatewaysKnow(String template, String path) {
        assertThat(PathTemplate.of(template).path()).isEqualTo(path);
        assertThat(PathPattern.parse(path)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pets",
                "/pets?status=sold",
                "/x#Action=Y",
                "",
                "{id}",
                "/a/{id",
                "/a/id}",
                "/a/{b/c}",
                "/a/{n=}",
                "/a/{n=/x}",
                "/a{/id}",
                "/a/%",
                "/a/%00"
            })
    void whatNoRequestCanHaveAsItsPathIsRefused(String template) {
        assertThatThrownBy(() -> PathTemplate.of(template)).isInstanceOf(InvalidValue.class);
    }

    @ParameterizedTest
    @CsvSource({
        "'/a/{id:[0-9]{4}}', '/a/:id', '{id:[0-9]{4}} takes any text: its constraint is not checked'",
        "'/a/{id:int}', '/a/:id', '{id:int} takes any text: its constraint is not checked'",
        "'/a/{id?}', '/a/:id', '{id?} is treated as required'",
        "'/pets{?limit}', '/pets', '{?limit} is left out: the path does not contain it'",
    })
    void whatARouteCannotSayIsNoted(String template, String path, String note) {
        PathTemplate read = PathTemplate.of(template);
        assertThat(read.path()).isEqualTo(path);
        assertThat(read.notes()).containsExactly(note);
    }
}
