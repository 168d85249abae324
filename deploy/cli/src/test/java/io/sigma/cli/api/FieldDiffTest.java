package io.sigma.cli.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FieldDiffTest {

    private static JsonNode list(int first, int size) {
        return Json.tree(
                Map.of("nodes", IntStream.range(0, size).map(i -> first + i).toArray()));
    }

    @Test
    void itemsComeInTheOrderOfTheirListAndWhatIsGoneComesLast() {
        assertThat(FieldDiff.of(list(0, 12), list(100, 11)))
                .extracting(FieldDiff.Field::path)
                .startsWith("nodes[0]", "nodes[1]", "nodes[2]")
                .endsWith("nodes[9]", "nodes[10]", "nodes[11]");
    }
}
