package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.sigma.json.Json;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.AddressGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every field of the contract that names an address to connect to is one that is judged. */
final class TargetAddressTest {

    private static final Pattern SOUNDS_LIKE_ONE =
            Pattern.compile("(?i).*(url|urls|uri|endpoint|endpoints|server|servers|address|addresses|collector)");

    /** Fields of resources that sound like an address and that nothing is connected to by. */
    private static final Set<String> NO_TARGETS = Set.of("Route.clientAddresses", "StreamMatch.clientAddresses");

    private static final Map<String, String> EXAMPLES = Map.of(
            "Node.url",
            "{'id':'x','nodes':[{'url':'http://127.0.0.1:9'}]}",
            "NodeDiscovery.url",
            "{'id':'x','discovery':{'type':'DNS','url':'http://127.0.0.1:9'}}",
            "NodeDiscovery.servers",
            "{'id':'x','discovery':{'type':'DNS','servers':['127.0.0.1:9']}}",
            "JwtPlugin.jwksUrl",
            "{'id':'x','plugins':{'jwt':{'jwksUrl':'http://127.0.0.1:9'}}}",
            "TracingPlugin.endpoint",
            "{'id':'x','plugins':{'tracing':{'endpoint':'http://127.0.0.1:9'}}}");

    private static void collect(JsonNode schemas, String name, Set<String> found, Set<String> seen) {
        if (!seen.add(name)) {
            return;
        }
        schemas.path(name).path("properties").properties().forEach(property -> {
            if (SOUNDS_LIKE_ONE.matcher(property.getKey()).matches()) {
                found.add(name + "." + property.getKey());
            }
        });
        schemas.path(name)
                .findValuesAsText("$ref")
                .forEach(ref -> collect(schemas, ref.substring(ref.lastIndexOf('/') + 1), found, seen));
    }

    @Test
    void everyFieldThatSoundsLikeAnAddressIsJudged() throws IOException {
        JsonNode schemas = new ObjectMapper(new YAMLFactory())
                .readTree(Path.of("../openapi/sigma-admin.yaml").toFile())
                .at("/components/schemas");
        Set<String> found = new TreeSet<>();
        Set<String> seen = new TreeSet<>();
        ResourceType.ALL.forEach(type -> collect(schemas, type.model().getSimpleName(), found, seen));
        found.removeAll(NO_TARGETS);
        assertThat(found).as("fields that GatewayTarget knows").isEqualTo(new TreeSet<>(EXAMPLES.keySet()));
        AddressGuard guard = new AddressGuard(List.of(), List.of(), port -> port == 9);
        EXAMPLES.forEach((field, example) -> {
            ResourceType<?> type = example.contains("plugins") ? ResourceType.ROUTER : ResourceType.UPSTREAM;
            assertThat(TargetAddress.of(type.read(Json.read(example.replace('\'', '"'), JsonNode.class))))
                    .as(field)
                    .singleElement()
                    .satisfies(target ->
                            assertThat(target.refusal(guard)).asString().contains("127.0.0.1:9", "no port of Sigma"));
        });
    }

    static Stream<ResourceType<?>> kindsWithPlugins() {
        return Stream.of(ResourceType.PROXY_SERVER, ResourceType.ROUTER, ResourceType.ROUTE, ResourceType.PROXY_PASS);
    }

    @ParameterizedTest
    @MethodSource("kindsWithPlugins")
    void pluginsOfEveryKindAreJudged(ResourceType<?> type) {
        assertThat(TargetAddress.of(
                        type.read(Json.read(EXAMPLES.get("JwtPlugin.jwksUrl").replace('\'', '"'), JsonNode.class))))
                .extracting(TargetAddress::pointer)
                .containsExactly("/plugins/jwt/jwksUrl");
    }

    @Test
    void checksAtAnotherPortAreJudgedForEachNode() {
        String body = "{\"id\":\"x\",\"nodes\":[{\"url\":\"http://10.0.0.1\"},{\"url\":\"http://[::1]:80\"}],"
                + "\"healthCheck\":{\"port\":9}}";
        AddressGuard guard = new AddressGuard(List.of(), List.of(), port -> port == 9);
        assertThat(TargetAddress.of(ResourceType.UPSTREAM.read(Json.read(body, JsonNode.class))))
                .filteredOn(target -> target.refusal(guard) != null)
                .extracting(TargetAddress::pointer)
                .containsExactly("/healthCheck/port");
    }
}
