package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.sigma.json.Json;
import io.sigma.model.FieldError;
import io.sigma.model.ProxyPass;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every field of the contract that names a file or folder of the gateway is one that is looked at. */
final class GatewayPathTest {

    private static final String TYPE = "#/components/schemas/GatewayPath";

    /** Fields whose names sound like something of the machine and that name nothing on it. */
    private static final Set<String> NO_PATHS = Set.of(
            "Route.path: of requests",
            "ProxyPass.stripPrefix: of requests",
            "HealthCheck.path: of requests",
            "StaticFiles.fallback: below rootPath",
            "StaticFiles.index: a name");

    private static JsonNode schemas = new ObjectMapper().createObjectNode();

    /** A field, and the resource in which nothing but it is set. */
    private record Place(String pointer, String use, ObjectNode body) {}

    @BeforeAll
    static void read() throws IOException {
        schemas = new ObjectMapper(new YAMLFactory())
                .readTree(Path.of("../openapi/sigma-admin.yaml").toFile())
                .at("/components/schemas");
    }

    static Stream<ResourceType<?>> types() {
        return ResourceType.ALL.stream();
    }

    private static List<Place> places(JsonNode schema, String pointer, Set<String> above) {
        List<Place> found = new ArrayList<>();
        schema.path("properties").properties().forEach(property -> {
            String ref = property.getValue().path("$ref").asText();
            String name = ref.substring(ref.lastIndexOf('/') + 1);
            if (ref.equals(TYPE)) {
                found.add(new Place(
                        pointer + "/" + property.getKey(),
                        property.getValue().path("x-gateway-path").asText(),
                        Json.mapper().createObjectNode()));
            } else if (!ref.isEmpty() && !above.contains(name)) {
                Set<String> deeper = new TreeSet<>(above);
                deeper.add(name);
                found.addAll(places(schemas.path(name), pointer + "/" + property.getKey(), deeper));
            }
        });
        return found;
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyGatewayPathOfAKindIsFoundInAResource(ResourceType<?> type) {
        String schema = type.model().getSimpleName();
        for (Place place : places(schemas.path(schema), "", Set.of(schema))) {
            ObjectNode body = place.body();
            ObjectNode at = body;
            String[] names = place.pointer().substring(1).split("/", -1);
            for (int i = 0; i < names.length - 1; i++) {
                at = at.putObject(names[i]);
            }
            at.put(names[names.length - 1], "a/b");
            assertThat(GatewayPath.of(type.read(body)))
                    .as(schema + place.pointer())
                    .containsExactly(new GatewayPath(place.pointer(), PathUse.valueOf(place.use()), "a/b"));
        }
    }

    @Test
    void eachKindOfUseIsInTheContract() {
        List<String> uses = ResourceType.ALL.stream()
                .flatMap(type -> places(schemas.path(type.model().getSimpleName()), "", Set.of()).stream())
                .map(Place::use)
                .distinct()
                .toList();
        assertThat(uses).containsExactlyInAnyOrder("READ", "SERVED", "LOGGED");
    }

    /** In a list or a map, or behind one, none is found yet: see {@link #places}. */
    @Test
    void noGatewayPathIsWhereNobodyLooks() {
        Set<String> reached = new TreeSet<>();
        Set<String> looked = new TreeSet<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            collect(type.model().getSimpleName(), reached);
            look(type.model().getSimpleName(), looked);
        }
        for (String name : reached) {
            long all = schemas.path(name).findValues("$ref").stream()
                    .filter(ref -> ref.asText().equals(TYPE))
                    .count();
            long direct = schemas.path(name).path("properties").properties().stream()
                    .filter(property ->
                            property.getValue().path("$ref").asText().equals(TYPE))
                    .count();
            assertThat(looked.contains(name) ? direct : 0).as(name).isEqualTo(all);
        }
    }

    private static void look(String name, Set<String> looked) {
        if (looked.add(name)) {
            schemas.path(name).path("properties").properties().forEach(property -> {
                String ref = property.getValue().path("$ref").asText();
                look(ref.substring(ref.lastIndexOf('/') + 1), looked);
            });
        }
    }

    /** A field that sounds like something of the machine is a path of the gateway, or is said not to be. */
    @Test
    void noTextOfAResourceNamesAFileASocketACommandOrAClass() {
        Pattern suspicious = Pattern.compile("(?i).*(path|file|folder|dir|socket|command|script|class|exec|library).*");
        Set<String> reached = new TreeSet<>();
        ResourceType.ALL.forEach(type -> collect(type.model().getSimpleName(), reached));
        List<String> unknown = new ArrayList<>();
        for (String name : reached) {
            schemas.path(name).path("properties").properties().forEach(property -> {
                boolean text = property.getValue().path("type").asText().equals("string");
                boolean known =
                        NO_PATHS.stream().anyMatch(field -> field.startsWith(name + "." + property.getKey() + ":"));
                if (text && !known && suspicious.matcher(property.getKey()).matches()) {
                    unknown.add(name + "." + property.getKey());
                }
            });
        }
        assertThat(unknown).as("GatewayPath, or an entry of this test").isEmpty();
    }

    private static void collect(String name, Set<String> reached) {
        if (reached.add(name)) {
            schemas.path(name).findValues("$ref").forEach(ref -> {
                String text = ref.asText();
                collect(text.substring(text.lastIndexOf('/') + 1), reached);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/srv\u0000x", "a\nb", "\u007f"})
    void whatIsNoPathIsRefusedWhateverIsOnTheDisk(String text) {
        ObjectNode body = Json.mapper().createObjectNode();
        body.putObject("staticFiles").put("rootPath", text);
        assertThat(ResourceCheck.check(Json.read(body, ProxyPass.class)))
                .extracting(FieldError::pointer)
                .containsExactly("/staticFiles/rootPath");
    }
}
