package io.sigma.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.json.Yaml;
import java.io.IOException;
import java.util.Arrays;

/**
 * YAML ({@code y}) and JSON that is written as YAML ({@code j}): it is read as something that JSON has too, and is the
 * same when it is written and read again.
 */
public final class YamlFuzz {

    private YamlFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 2 || (data[0] != 'y' && data[0] != 'j')) {
            return;
        }
        byte[] text = Arrays.copyOfRange(data, 1, data.length);
        JsonNode tree;
        try {
            tree = data[0] == 'y' ? Yaml.read(text) : Json.mapper().readTree(text);
        } catch (IOException e) {
            return;
        }
        if (tree == null || tree.isMissingNode()) {
            return;
        }
        try {
            String json = Json.mapper().writeValueAsString(tree);
            byte[] yaml = Yaml.bytes(Json.mapper().readTree(json));
            String again = Json.mapper().writeValueAsString(Yaml.read(yaml));
            if (!json.equals(again)) {
                throw new AssertionError(again + " (expected: " + json + ")");
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
