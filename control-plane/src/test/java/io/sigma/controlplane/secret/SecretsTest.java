package io.sigma.controlplane.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import org.junit.jupiter.api.Test;

/** Secrets at every place that a contract can have them. */
final class SecretsTest {

    private static final JsonNode CONTRACT = Json.read("""
            {"components":{"schemas":{"Upstream":{"properties":{
              "token":{"type":"string","writeOnly":true},
              "nested":{"$ref":"#/components/schemas/Nested"},
              "many":{"type":"array","items":{"$ref":"#/components/schemas/Nested"}},
              "keys":{"type":"array","items":{"type":"string"},"writeOnly":true},
              "byName":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/Nested"}}}},
             "Nested":{"properties":{"name":{"type":"string"},"secret":{"type":"string","writeOnly":true},
              "again":{"$ref":"#/components/schemas/Nested"}}}}}}""", JsonNode.class);

    private static final JsonNode FULL = Json.read("""
            {"token":"t0","plain":"p","nested":{"name":"n","secret":"s0"},
             "many":[{"name":"a","secret":"s1"},{"name":"b","secret":"s2"}],
             "keys":["k0","k1"],"byName":{"x":{"secret":"s3"}}}""", JsonNode.class);

    private final Secrets secrets = Secrets.of(CONTRACT, new KeyRing("key", null));

    private static JsonNode json(String text) {
        return Json.read(text, JsonNode.class);
    }

    @Test
    void secretsAreFoundWhereverTheContractHasThem() {
        assertThat(secrets.has(Kind.UPSTREAM)).isTrue();
        assertThat(secrets.has(Kind.ROUTE)).isFalse();
        assertThat(secrets.without(Kind.UPSTREAM, FULL)).isEqualTo(json("""
                        {"plain":"p","nested":{"name":"n"},"many":[{"name":"a"},{"name":"b"}],
                         "keys":[],"byName":{"x":{}}}"""));
        assertThat(secrets.redacted(Kind.UPSTREAM, FULL).toString())
                .doesNotContain("\"t0\"", "\"s0\"", "\"s1\"", "\"s2\"", "\"s3\"", "\"k0\"", "\"k1\"");
    }

    @Test
    void sealedResourcesOpenWithTheSameKeyAndId() {
        JsonNode sealed = secrets.sealed(Kind.UPSTREAM, "a", FULL);
        assertThat(sealed.toString())
                .doesNotContain("\"t0\"", "\"s0\"", "\"s1\"", "\"s2\"", "\"s3\"", "\"k0\"", "\"k1\"");
        assertThat(secrets.opened(Kind.UPSTREAM, "a", sealed)).isEqualTo(FULL);
        assertThatThrownBy(() -> secrets.opened(Kind.UPSTREAM, "b", sealed)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(
                        () -> Secrets.of(CONTRACT, new KeyRing("other", null)).opened(Kind.UPSTREAM, "a", sealed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("secretKey");
    }

    @Test
    void whatIsLeftOutOrRedactedIsKept() {
        assertThat(secrets.kept(Kind.UPSTREAM, json("""
                        {"token":"new","plain":"q","nested":{"name":"n","secret":"[redacted]"},
                         "many":[{"name":"b"},{"name":"c"},{"name":"a","secret":"[redacted]"}],
                         "byName":{"x":{},"y":{"secret":"[redacted]"}}}"""), FULL)).isEqualTo(json("""
                        {"token":"new","plain":"q","nested":{"name":"n","secret":"s0"},
                         "many":[{"name":"b","secret":"s2"},{"name":"c"},{"name":"a","secret":"s1"}],
                         "byName":{"x":{"secret":"s3"},"y":{}},"keys":["k0","k1"]}"""));
        assertThat(secrets.kept(Kind.UPSTREAM, json("{\"token\":\"[redacted]\"}"), null))
                .isEqualTo(json("{}"));
    }
}
