package io.sigma.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The time and memory of an import follow from the length of the file: an author of imports must not block the control
 * plane.
 */
final class SigmaJsonBoundsTest {

    private static JsonNode json(String text) {
        return Json.read(text.replace('\'', '"'), JsonNode.class);
    }

    @Test
    void errorsAreFewAndShort() {
        String keys = IntStream.range(0, 50_000).mapToObj(i -> "'k" + i + "':1").collect(Collectors.joining(","));
        String long_ = "x".repeat(1_000_000);
        JsonNode file = json("{" + keys + ",'upstream':'" + long_ + "'}");
        try {
            SigmaJsonReader.read(file);
            assertThat(file).isNull();
        } catch (SigmaJsonRefused refused) {
            assertThat(refused.errors())
                    .hasSizeBetween(100, 1_000)
                    .allMatch(error -> error.detail().length() < 10_000);
        }
    }

    @Test
    void manyRoutesOfOneIdAreMadeDistinctAtOnce() {
        String routes = IntStream.range(0, 40_000)
                .mapToObj(i -> "{'id':'a','path':'/p%d','proxy-pass-id':'p'}".formatted(i))
                .collect(Collectors.joining(","));
        JsonNode file = json("""
                {'proxy-server':{'http':{'id':'web','port':8080}},
                'upstream':[{'id':'u','nodes':['10.0.0.1:80']}],'proxy-pass':[{'id':'p','upstream-id':'u'}],
                'router':[{'id':'r','proxy-server-id':'web','route':[%s]}]}""".formatted(routes));
        SigmaJson read = assertTimeoutPreemptively(Duration.ofSeconds(10), () -> SigmaJsonReader.read(file));
        assertThat(read.state().routes()).hasSize(40_000).containsKeys("a", "r.a", "r.a-2", "r.a-39999");
        assertThat(read.warnings()).hasSize(1_000);
    }
}
