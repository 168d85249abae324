package io.sigma.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.format.SigmaJsonReader;
import io.sigma.format.SigmaJsonRefused;
import io.sigma.format.SigmaJsonWriter;
import io.sigma.json.Json;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.Snapshot;
import java.io.IOException;

/**
 * Files in the sigma.json format: what is taken is the same when it is written and read again, where nothing is left
 * out.
 */
public final class SigmaJsonFuzz {

    private SigmaJsonFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        JsonNode root;
        try {
            root = Json.mapper().readTree(data);
        } catch (IOException e) {
            return;
        }
        ConfigState state;
        try {
            state = SigmaJsonReader.read(root).state();
        } catch (SigmaJsonRefused e) {
            return;
        }
        SigmaJsonWriter.Written written = SigmaJsonWriter.write(state);
        if (!written.warnings().isEmpty()) {
            return;
        }
        ConfigState again = SigmaJsonReader.read(written.file()).state();
        if (!hash(again).equals(hash(state))) {
            throw new AssertionError("another state after " + written.file());
        }
    }

    private static String hash(ConfigState state) {
        return Snapshot.of(1, state).hash().hex();
    }
}
