package io.sigma.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonDiffTest {

    private static List<String> told(String before, String after) {
        return JsonDiff.of(Json.read(before, JsonNode.class), Json.read(after, JsonNode.class), 100).stream()
                .map(change -> change.pointer() + " " + change.before() + ">" + change.after())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]              | [1]             | /n/0 >1",
                "[1]             | []              | /n/0 1>",
                "[1,2,3]         | [2,3]           | /n/0 1>",
                "[1,2,3]         | [1,3]           | /n/1 2>",
                "[1,2,3]         | [1,2]           | /n/2 3>",
                "[1,3]           | [1,2,3]         | /n/1 >2",
                "[2,2]           | [2,2,2]         | /n/2 >2",
                "[1,2,3]         | [1,4,3]         | /n/1 2>4",
                "[{\"a\":1}]     | [{\"a\":2},7]   | /n/0/a 1>2,/n/1 >7",
                "[1,2]           | {\"0\":1}       | /n [1,2]>{\"0\":1}",
            })
    void whatCameToAListOrWentFromItIsToldAsThat(String before, String after, String expected) {
        assertThat(told("{\"n\":" + before + "}", "{\"n\":" + after + "}")).containsExactly(expected.split(",(?=/)"));
    }

    @Test
    void wholeObjectIsToldByItsProperties() {
        assertThat(JsonDiff.of(
                        Json.read("{\"b/c\":{\"d\":1},\"a\":2}", JsonNode.class),
                        Json.tree(1).path("none"),
                        100))
                .extracting(JsonDiff.Change::pointer)
                .containsExactly("/a", "/b~1c");
        assertThat(told("{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1}}")).isEmpty();
        assertThat(told("1", "2")).containsExactly(" 1>2");
    }

    @Test
    void furtherChangesAreLeftOut() {
        assertThat(JsonDiff.of(Json.tree(List.of(1, 2, 3)), Json.tree(List.of(4, 5, 6)), 2))
                .hasSize(2);
    }

    /** With what is told, the shorter of the two can be made out of the longer. */
    @Test
    void pointersLeadToWhatIsTold() {
        Random random = new Random(5);
        for (int i = 0; i < 2_000; i++) {
            JsonNode before = list(random);
            JsonNode after = list(random);
            List<JsonDiff.Change> changes = JsonDiff.of(before, after, 1_000);
            List<JsonNode> kept = items(before);
            List<JsonNode> left = items(after);
            for (JsonDiff.Change change : changes) {
                if (!change.before().isMissingNode()) {
                    assertThat(before.at(change.pointer())).isEqualTo(change.before());
                    kept.set((int) change.path().getFirst(), change.after());
                }
                if (!change.after().isMissingNode()) {
                    assertThat(after.at(change.pointer())).isEqualTo(change.after());
                    left.set((int) change.path().getFirst(), change.before());
                }
            }
            kept.removeIf(JsonNode::isMissingNode);
            left.removeIf(JsonNode::isMissingNode);
            boolean grew = after.size() > before.size();
            assertThat(grew ? left : kept).isEqualTo(items(grew ? before : after));
        }
    }

    private static JsonNode list(Random random) {
        return Json.tree(random.ints(random.nextInt(6), 0, 3).toArray());
    }

    private static List<JsonNode> items(JsonNode list) {
        List<JsonNode> items = new ArrayList<>();
        list.forEach(items::add);
        return items;
    }
}
