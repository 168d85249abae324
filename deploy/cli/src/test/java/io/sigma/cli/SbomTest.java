package io.sigma.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bill of materials of the distribution as it was put together: runs after that, in the phase "package". */
class SbomTest {

    private static final Path HOME = Path.of("target/sigma");
    private static final Pattern PURL = Pattern.compile("pkg:maven/[^/]+/([^@]+)@([^?]+)(\\?.*)?");
    private static final Pattern CLASSIFIER = Pattern.compile("classifier=([^&]+)");

    private static JsonNode bill() {
        try {
            return new ObjectMapper().readTree(Files.readString(HOME.resolve("sbom.cdx.json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the package URLs of the components by their names. */
    private static Map<String, String> components() {
        Map<String, String> purls = new TreeMap<>();
        bill().path("components").forEach(component -> {
            assertThat(component.path("version").asText())
                    .as(component.toString())
                    .isNotEmpty();
            String group = component.path("group").asText("");
            purls.merge(
                    (group.isEmpty() ? "" : group + "/")
                            + component.path("name").asText(),
                    component.path("purl").asText(),
                    (one, other) -> one);
        });
        return purls;
    }

    private static String versionOf(String library) throws IOException {
        try (Stream<Path> jars = Files.list(HOME.resolve("lib"))) {
            return jars.map(jar -> jar.getFileName().toString())
                    .filter(name -> name.matches(Pattern.quote(library) + "-\\d.*\\.jar"))
                    .map(name -> name.substring(library.length() + 1, name.length() - ".jar".length()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void isCycloneDx() {
        assertThat(bill().path("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(bill().path("metadata").path("component").path("name").asText())
                .isEqualTo("sigma-dist");
    }

    @Test
    void librariesAreListedWithTheVersionsThatAreShipped() throws IOException {
        Map<String, String> purls = components();
        for (String library : List.of(
                "io.netty/netty-codec-http2",
                "io.netty/netty-handler",
                "io.vertx/vertx-core",
                "ch.qos.logback/logback-classic",
                "com.fasterxml.jackson.core/jackson-databind",
                "org.postgresql/postgresql",
                "io.opentelemetry/opentelemetry-sdk-trace")) {
            String name = library.substring(library.indexOf('/') + 1);
            assertThat(purls.get(library))
                    .as(library)
                    .isEqualTo("pkg:maven/" + library + "@" + versionOf(name) + "?type=jar");
        }
    }

    @Test
    void everyJarThatIsShippedIsListed() throws IOException {
        Set<String> listed = new TreeSet<>(Set.of("sigma-dist.jar"));
        bill().path("components").forEach(component -> {
            Matcher purl = PURL.matcher(component.path("purl").asText());
            if (purl.matches()) {
                Matcher classifier = CLASSIFIER.matcher(purl.group(3) == null ? "" : purl.group(3));
                listed.add(purl.group(1) + "-" + purl.group(2) + (classifier.find() ? "-" + classifier.group(1) : "")
                        + ".jar");
            }
        });
        try (Stream<Path> jars = Files.list(HOME.resolve("lib"))) {
            assertThat(jars.map(jar -> jar.getFileName().toString()).filter(name -> name.endsWith(".jar")))
                    .isNotEmpty()
                    .isSubsetOf(listed);
        }
    }

    @Test
    void packagesOfTheDashboardAreListedAndNoToolsOfItsBuild() throws IOException {
        JsonNode wanted = new ObjectMapper()
                .readTree(Files.readString(Path.of("../../web-ui/package.json")))
                .path("dependencies");
        assertThat(wanted.has("react")).isTrue();
        Map<String, String> purls = components();
        wanted.properties()
                .forEach(entry -> assertThat(purls.get(entry.getKey()))
                        .as(entry.getKey())
                        .isEqualTo("pkg:npm/" + entry.getKey().replace("@", "%40") + "@"
                                + entry.getValue().asText()));
        assertThat(purls).containsKey("scheduler").doesNotContainKeys("vite", "typescript", "vitest", "eslint");
    }
}
