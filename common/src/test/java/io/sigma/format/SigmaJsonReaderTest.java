package io.sigma.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.check.Faults;
import io.sigma.check.StateCheck;
import io.sigma.json.Json;
import io.sigma.model.FieldError;
import io.sigma.model.ForwardedHeaders;
import io.sigma.model.GzipPlugin;
import io.sigma.model.RewritePathPlugin;
import io.sigma.model.Router;
import io.sigma.model.XFrameValue;
import io.sigma.snapshot.ConfigState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SigmaJsonReaderTest {

    private static JsonNode example(String name) throws IOException {
        try (InputStream in = SigmaJsonReaderTest.class.getResourceAsStream("/sigma-json/" + name)) {
            return Json.mapper().readTree(Objects.requireNonNull(in));
        }
    }

    /** full.json with the value at {@code pointer} replaced by {@code json}. */
    private static JsonNode fullWith(String pointer, String json) throws IOException {
        JsonNode root = example("full.json");
        int slash = pointer.lastIndexOf('/');
        JsonNode parent = root.at(pointer.substring(0, slash));
        String key = pointer.substring(slash + 1);
        JsonNode value = Json.mapper().readTree(json);
        if (parent.isArray()) {
            ((com.fasterxml.jackson.databind.node.ArrayNode) parent).set(Integer.parseInt(key), value);
        } else {
            ((ObjectNode) parent).set(key, value);
        }
        return root;
    }

    private static List<FieldError> errorsOf(JsonNode root) {
        return Objects.requireNonNull(
                        catchThrowableOfType(SigmaJsonRefused.class, () -> SigmaJsonReader.read(root)),
                        "the file was accepted")
                .errors();
    }

    @Test
    void theMinimalExampleBecomesOneOfEachKind() throws IOException {
        ConfigState state = SigmaJsonReader.read(example("minimal.json")).state();
        assertThat(state.size()).isEqualTo(5);
        assertThat(state.proxyServers().get("http-proxy-server").port()).isEqualTo(8080);
        assertThat(state.routes().get("router-first-route-first").path()).isEqualTo("/test/*");
        assertThat(state.upstreams().get("upstream-static-service-1").pool().connectionsMax())
                .isEqualTo(256);
        assertThat(StateCheck.check(state)).isEmpty();
    }

    @Test
    void theFullExampleKeepsEveryMeaning() throws IOException {
        ConfigState state = SigmaJsonReader.read(example("full.json")).state();
        assertThat(state.proxyServers().get("web").plugins().gzip())
                .isEqualTo(GzipPlugin.builder().build());
        assertThat(state.proxyServers().get("web").plugins().staticResources().rootPath())
                .isEqualTo("/srv/static");
        assertThat(state.proxyServers().get("web-tls").enabled()).isFalse();
        Router shop = state.routers().get("shop");
        assertThat(shop.hosts()).containsExactly("shop.example.com");
        assertThat(shop.forwardedHeaders()).isEqualTo(ForwardedHeaders.X_FORWARD);
        assertThat(shop.plugins().xFrame().value()).isEqualTo(XFrameValue.SAMEORIGIN);
        assertThat(shop.plugins().cors().allowCredentials()).isTrue();
        assertThat(shop.plugins().hsts().enabled()).isFalse();
        assertThat(shop.plugins().csp().directives()).hasSize(1);
        assertThat(state.routers().get("fallback").hosts()).isEmpty();
        assertThat(state.routes().get("shop-off").enabled()).isFalse();
        assertThat(state.proxyPasses().get("to-test").plugins().rewritePath())
                .isEqualTo(RewritePathPlugin.builder()
                        .regexp("/test/(?<segment>.*)")
                        .replacement("/${segment}")
                        .build());
        assertThat(StateCheck.check(state)).isEmpty();
    }

    @Test
    void whatGzipCannotDoIsTakenAndReported() throws IOException {
        SigmaJson json = SigmaJsonReader.read(fullWith("/proxy-server/http/plugin/gzip/window-bits", "9"));
        assertThat(json.warnings())
                .contains(Faults.warning(
                        "/proxy-server/http/plugin/gzip/window-bits", "9 has no effect (it is always 15)"));
        assertThat(SigmaJsonReader.read(example("full.json")).warnings())
                .extracting(FieldError::pointer)
                .noneMatch(pointer -> pointer.contains("/gzip/"));
        assertThat(errorsOf(fullWith("/proxy-server/http/plugin/gzip/mem-level", "10")))
                .extracting(FieldError::pointer)
                .containsExactly("/proxy-server/http/plugin/gzip/mem-level");
    }

    @Test
    void keysWithoutMeaningAreKeptAndReported() throws IOException {
        SigmaJson json = SigmaJsonReader.read(example("full.json"));
        assertThat(json.warnings())
                .extracting(FieldError::pointer)
                .contains("/proxy-server/http/server-id", "/router/0/plugin/metadata");
        assertThat(json.state().routers().get("shop").labels())
                .containsEntry("sigma-json.metadata", "[{\"name\":\"shop\"}]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/proxy-servers | {} | /proxy-servers | unknown key",
                "/router/0/hots | 1 | /router/0/hots | unknown key",
                "/proxy-server/http/port | 70000 | /proxy-server/http/port | 1..65535",
                "/proxy-server/http/port | \"80\" | /proxy-server/http/port | whole number",
                "/proxy-server/http/plugin/gzip/compression-level | 10 | /proxy-server/http/plugin/gzip/compression-level | 1..9",
                "/router/0/enable | \"yes\" | /router/0/enable | true or false",
                "/router/0/allow-forward | \"SOME\" | /router/0/allow-forward | NONE, FORWARD, X_FORWARD, ALL",
                "/router/0/virtual-host | \"a b\" | /router/0/virtual-host | host name",
                "/router/0/proxy-server-id | \"gone\" | /router/0/proxy-server-id | id of an existing proxy server",
                "/router/0/route/0/proxy-pass-id | \"gone\" | /router/0/route/0/proxy-pass-id | id of an existing proxy pass",
                "/router/0/route/0/path | \"api\" | /router/0/route/0/path | starts with /",
                "/router/0/route/0/allow-method | [\"GTE\"] | /router/0/route/0/allow-method/0 | GET was probably meant",
                "/router/0/route/0/allow-method | [\"get\"] | /router/0/route/0/allow-method/0 | GET was probably meant",
                "/router/0/route/0/consumes | [\"json\"] | /router/0/route/0/consumes/0 | media type",
                "/router/0/plugin/x-frame | \"SAME\" | /router/0/plugin/x-frame | NONE, DENY, SAMEORIGIN",
                "/router/0/plugin/cors/allow-origins | [\"*\"] | /router/0/plugin/cors/allow-credentials | without *",
                "/router/0/plugin/csp/directive | [] | /router/0/plugin/csp/directive | at least one",
                "/proxy-pass/0/upstream-id | \"gone\" | /proxy-pass/0/upstream-id | id of an existing upstream",
                "/proxy-pass/1/plugin/rewrite-path/regexp | \"(\" | /proxy-pass/1/plugin/rewrite-path/regexp | RE2",
                "/proxy-pass/1/plugin/rewrite-path/replacement | \"/${no}\" | /proxy-pass/1/plugin/rewrite-path/replacement | not no",
                "/proxy-pass/1/plugin/rewrite-path/replacement | \"/$\" | /proxy-pass/1/plugin/rewrite-path/replacement | after $",
                "/upstream/0/nodes | [] | /upstream/0/nodes | at least one node",
                "/upstream/0/nodes | [\"ftp://a\"] | /upstream/0/nodes/0 | http://",
                "/upstream/0/discovery | \"consul\" | /upstream/0/discovery | static-config",
                "/upstream/0/rule-strategy | \"random\" | /upstream/0/rule-strategy | round-robin",
                "/upstream/0/plugin | {\"a\":1} | /upstream/0/plugin/a | unknown key",
                "/plugins/http-redirect-https | true | /plugins/http-redirect-https | enabled https listener",
            })
    void aBadValueIsRefusedWithItsPointer(String pointer, String json, String expectedPointer, String expectedDetail)
            throws IOException {
        List<FieldError> errors = errorsOf(fullWith(pointer, json));
        assertThat(errors).anySatisfy(error -> {
            assertThat(error.pointer()).isEqualTo(expectedPointer);
            assertThat(error.detail()).contains(expectedDetail);
        });
    }

    @Test
    void anEnabledHttpsListenerNeedsItsFiles() throws IOException {
        JsonNode root = fullWith("/proxy-server/https/enable", "true");
        assertThat(SigmaJsonReader.read(root)
                        .state()
                        .proxyServers()
                        .get("web-tls")
                        .tls())
                .isNotNull();
        ((ObjectNode) root.at("/proxy-server/https/ssl")).remove("keyPath");
        assertThat(errorsOf(root)).extracting(FieldError::pointer).containsExactly("/proxy-server/https/ssl");
    }

    @Test
    void theRedirectNamesTheHttpsPort() throws IOException {
        JsonNode root = fullWith("/proxy-server/https/enable", "true");
        ((ObjectNode) root.at("/plugins")).put("http-redirect-https", true);
        assertThat(SigmaJsonReader.read(root)
                        .state()
                        .proxyServers()
                        .get("web")
                        .plugins()
                        .httpsRedirect()
                        .port())
                .isEqualTo(8443);
    }

    @Test
    void aNodeWithoutSchemeTakesThatOfTheClient() throws IOException {
        JsonNode root = fullWith("/upstream/0/nodes", "[\"a:1\", \"http://b:1\"]");
        ((ObjectNode) root.at("/proxy-client")).put("ssl", true);
        assertThat(SigmaJsonReader.read(root)
                        .state()
                        .upstreams()
                        .get("shop-nodes")
                        .nodes())
                .extracting("url")
                .containsExactly("https://a:1", "http://b:1");
    }

    @Test
    void pathsInAFileAreRelativeToItsFolder(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("sigma.json"), Json.bytes(example("full.json")));
        assertThat(SigmaJsonReader.read(file)
                        .state()
                        .proxyServers()
                        .get("web-tls")
                        .tls()
                        .keyPath())
                .isEqualTo(folder.resolve("tls/key.pem").toString());
    }

    @Test
    void malformedJsonIsRefusedWithItsPlace(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("sigma.json"), "{\n  \"router\": [}\n");
        assertThatThrownBy(() -> SigmaJsonReader.read(file))
                .isInstanceOf(SigmaJsonRefused.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void aRepeatedKeyIsRefused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("sigma.json"), "{\"plugins\": {}, \"plugins\": {}}");
        assertThatThrownBy(() -> SigmaJsonReader.read(file)).hasMessageContaining("plugins");
    }

    @Test
    void idsOfRoutesThatComeTwiceAreMadeDistinctWithAWarning() throws IOException {
        JsonNode root = example("full.json");
        ObjectNode first = (ObjectNode) root.at("/router/0/route/0");
        String id = root.at("/router/1/route/0/id").asText();
        first.put("id", id);
        ((com.fasterxml.jackson.databind.node.ArrayNode) root.at("/router/1/route"))
                .add(root.at("/router/1/route/0").deepCopy());
        SigmaJson read = SigmaJsonReader.read(root);
        String router = root.at("/router/1/id").asText();
        assertThat(read.state().routes()).containsKeys(id, router + "." + id, router + "." + id + "-2");
        assertThat(read.state().routes().get(router + "." + id).path())
                .isEqualTo(root.at("/router/1/route/0/path").asText());
        assertThat(read.warnings())
                .contains(Faults.warning(
                        "/router/1/route/0/id",
                        "\"" + id + "\" is that of /router/0/route/0 too: taken as \"" + router + "." + id + "\""));
        String longId = "a".repeat(64);
        first.put("id", longId);
        ((ObjectNode) root.at("/router/1/route/0")).put("id", longId);
        assertThat(SigmaJsonReader.read(root).state().routes().keySet())
                .allMatch(one -> one.length() <= 64)
                .contains(longId)
                .hasSize(root.at("/router/0/route").size()
                        + root.at("/router/1/route").size());
    }
}
