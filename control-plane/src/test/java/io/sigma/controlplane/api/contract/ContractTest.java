package io.sigma.controlplane.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.check.ResourceCheck;
import io.sigma.json.Json;
import io.sigma.model.FieldError;
import io.sigma.model.FieldErrorCode;
import io.sigma.model.FieldErrorUnit;
import io.sigma.model.FieldErrorValues;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContractTest extends LoadedContract {

    @Test
    void everyExampleIsValidAndMeansSomething() {
        JsonNode document = ContractDocument.read();
        for (ResourceType<?> type : ResourceType.ALL) {
            JsonNode examples =
                    document.at("/components/schemas/" + type.model().getSimpleName() + "/examples");
            assertThat(examples).as(type + " has examples").isNotEmpty();
            for (JsonNode example : examples) {
                assertThat(contract.check(type, example)).as("%s", example).isEmpty();
                assertThat(ResourceCheck.check(type.read(example)))
                        .as("%s", example)
                        .isEmpty();
            }
        }
    }

    @Test
    void whatTheModelWritesIsValid() {
        for (ResourceType<?> type : ResourceType.ALL) {
            JsonNode document = ContractDocument.read();
            for (JsonNode example :
                    document.at("/components/schemas/" + type.model().getSimpleName() + "/examples")) {
                assertThat(contract.check(type, Json.tree(type.read(example)))).isEmpty();
            }
        }
    }

    @Test
    void everyOperationCanBeRouted() {
        assertThat(contract.openApi().operations()).hasSameSizeAs(operations());
    }

    @Test
    void everyOperationNamesTheRoleThatItNeeds() {
        for (JsonNode operation : operations()) {
            String id = operation.path("operationId").asText();
            String role = operation.path("x-role").asText("absent");
            assertThat(role).as("x-role of " + id).isIn("none", "viewer", "editor", "admin");
            // What is told to clients of the contract must be what is enforced.
            boolean open = operation.path("security").isArray()
                    && operation.path("security").isEmpty();
            assertThat(role.equals("none")).as("%s is open", id).isEqualTo(open);
        }
    }

    private static List<JsonNode> operations() {
        List<JsonNode> operations = new ArrayList<>();
        ContractDocument.read()
                .path("paths")
                .forEach(path -> path.forEach(any -> {
                    if (any.has("operationId")) {
                        operations.add(any);
                    }
                }));
        return operations;
    }

    @Test
    void errorsNameTheFieldTheValueAndTheExpectation() {
        assertThat(
                        errors(
                                ResourceType.ROUTE,
                                "{'routerId':'a','proxyPassId':'b','path':'/','priority':1001,'methods':['GET','G T'],'nope':true}"))
                .containsExactlyInAnyOrder(
                        "/priority: 1001 (expected: a whole number -1000..1000)",
                        "/methods/1: \"G T\" (expected: a text of 1..32 characters that matches"
                                + " ^[!#$%&'*+.^_`|~0-9A-Za-z-]+$)",
                        "/nope: unknown field (expected: one of id, name, description, labels, enabled, routerId, path,"
                                + " methods, headers, queryParameters, cookies, clientAddresses, consumes, produces,"
                                + " priority, proxyPassId, plugins)");
    }

    @Test
    void compressionThatWouldStopAnEventLoopIsRefused() {
        String text = "{'upstreamId':'u','plugins':{'brotli':{'quality':%d},'zstd':{'level':%d}}}";
        assertThat(errors(ResourceType.PROXY_PASS, text.formatted(10, 13)))
                .containsExactlyInAnyOrder(
                        "/plugins/brotli/quality: 10 (expected: a whole number 0..9)",
                        "/plugins/zstd/level: 13 (expected: a whole number 1..12)");
        assertThat(errors(ResourceType.PROXY_PASS, text.formatted(9, 12))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " a",
                "a ",
                "a  b",
                "a\\u200b",
                "\\ufeffa",
                "a\\u00adb",
                "a\\u00a0b",
                "a\\u2060",
                "a\\u061c",
                "a\\u3164",
                "a\\u2009b",
                "a\\u2028b",
                "a\\n",
                "a\\u0085"
            })
    void namesAndLabelsThatLookLikeOthersAreRefused(String text) {
        String body = "{'upstreamId':'u','name':'%s','labels':{'%s':'x','k':'%s'}}".replace("%s", text);
        assertThat(found(ResourceType.PROXY_PASS, body).keySet())
                .hasSize(3)
                .contains("/name", "/labels/k")
                .anyMatch(pointer -> pointer.startsWith("/labels/") && !pointer.equals("/labels/k"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a b", "\\u5546\\u5e97 1", "\\ud83c\\uddeb\\ud83c\\uddf7", "e\\u0301", "=1,2/ x"})
    void namesAndLabelsOfAllScriptsAreTaken(String text) {
        String body = "{'upstreamId':'u','name':'%s','labels':{'%s':'x','k':'%s','none':''}}".replace("%s", text);
        assertThat(errors(ResourceType.PROXY_PASS, body)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\\u0645\\u06cc\\u200c\\u062e", "\\u2699\\ufe0f Tools", "\\ud83d\\udc68\\u200d\\ud83d\\udcbb"})
    void namesTakeJoinersAndLabelsDoNot(String text) {
        String body = "{'upstreamId':'u','name':'%s','labels':{'k':'%s'}}".replace("%s", text);
        assertThat(found(ResourceType.PROXY_PASS, body).keySet()).containsExactly("/labels/k");
    }

    @Test
    void errorsBelowReferencesAndMapsArePointedAt() {
        assertThat(errors(
                        ResourceType.PROXY_PASS,
                        "{'upstreamId':'u','labels':{'X/Y':1},'plugins':{'csp':{}},'timeouts':{'x':1}}"))
                .containsExactlyInAnyOrder(
                        "/labels/X~1Y: 1 (expected: a text of 0..4096 characters that matches"
                                + " ^(?! |.*  )[^\\u0000-\\u001f\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5"
                                + "\\u180b-\\u180f\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0]*(?<! )$)",
                        "/plugins/csp/directives: absent (expected: a list of 1..64 items)",
                        "/timeouts/x: unknown field (expected: one of connectMillis, responseMillis, idleMillis, totalMillis)");
    }

    @Test
    void everyErrorHasACodeAndItsValues() {
        Map<String, FieldError> route = found(
                ResourceType.ROUTE,
                "{'routerId':'a','proxyPassId':'b','path':'/','priority':1001,'methods':['G T'],'nope':true,'enabled':'yes'}");
        assertThat(route).hasSize(4);
        assertThat(route.get("/priority").code()).isEqualTo(FieldErrorCode.RANGE);
        assertThat(route.get("/priority").values())
                .isEqualTo(FieldErrorValues.builder()
                        .given("1001")
                        .minimum(-1000L)
                        .maximum(1000L)
                        .build());
        assertThat(route.get("/methods/0").code()).isEqualTo(FieldErrorCode.PATTERN);
        assertThat(route.get("/methods/0").values().given()).isEqualTo("G T");
        assertThat(route.get("/methods/0").values().pattern()).isEqualTo("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$");
        assertThat(route.get("/nope").code()).isEqualTo(FieldErrorCode.UNKNOWN_FIELD);
        assertThat(route.get("/nope").values().allowed()).contains("path", "priority");
        assertThat(route.get("/enabled").code()).isEqualTo(FieldErrorCode.TYPE);
        Map<String, FieldError> pass =
                found(ResourceType.PROXY_PASS, "{'upstreamId':'u','plugins':{'csp':{'directives':[]},'cors':{}}}");
        assertThat(pass.get("/plugins/csp/directives").code()).isEqualTo(FieldErrorCode.LENGTH);
        assertThat(pass.get("/plugins/csp/directives").values().unit()).isEqualTo(FieldErrorUnit.ITEMS);
        assertThat(found(ResourceType.ROUTER, "{}").get("/proxyServerId").code())
                .isEqualTo(FieldErrorCode.REQUIRED);
        FieldError protocol =
                found(ResourceType.PROXY_SERVER, "{'port':1,'protocol':'SMTP'}").get("/protocol");
        assertThat(protocol.code()).isEqualTo(FieldErrorCode.CHOICE);
        assertThat(protocol.values().allowed())
                .containsExactly("HTTP", "HTTPS", "TCP", "TLS", "UDP", "BOLT", "DUBBO", "THRIFT");
    }

    @Test
    void secretsAreNoValuesOfAnError() {
        FieldError key = found(ResourceType.CONSUMER, "{'apiKeys':[{'name':'a','key':''}]}")
                .get("/apiKeys/0/key");
        assertThat(key.detail()).startsWith("[redacted] (expected: ");
        assertThat(key.values().given()).isNull();
    }

    @Test
    void absentFieldsAreNamedThemselves() {
        assertThat(errors(ResourceType.ROUTER, "{}"))
                .containsExactly("/proxyServerId: absent (expected: 1 to 64 of A-Z a-z 0-9 . _ -, not . and not ..)");
    }

    @Test
    void errorsAreBounded() {
        ObjectNode labels = Json.mapper().createObjectNode();
        for (int i = 0; i < 1000; i++) {
            labels.put("label" + i, i);
        }
        ObjectNode body = Json.mapper().createObjectNode().put("proxyServerId", "web");
        body.set("labels", labels);
        assertThat(contract.check(ResourceType.ROUTER, body)).hasSize(100);
    }

    private static Map<String, FieldError> found(ResourceType<?> type, String body) {
        return contract.check(type, Json.read(body.replace('\'', '"'), JsonNode.class)).stream()
                .collect(Collectors.toMap(FieldError::pointer, error -> error));
    }

    private static List<String> errors(ResourceType<?> type, String body) {
        return contract.check(type, Json.read(body.replace('\'', '"'), JsonNode.class)).stream()
                .map((FieldError error) -> error.pointer() + ": " + error.detail())
                .toList();
    }
}
