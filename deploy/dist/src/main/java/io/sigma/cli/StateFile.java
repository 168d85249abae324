package io.sigma.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Reads a declared state from a file, YAML or JSON; {@code -} is standard input. */
final class StateFile {

    private static final Path STANDARD_INPUT = Path.of("-");

    private StateFile() {}

    /** @throws InvalidInput when it cannot be read, or is neither */
    static JsonNode read(Path file) throws IOException {
        boolean standard = file.equals(STANDARD_INPUT);
        if (!standard && (!Files.isReadable(file) || Files.isDirectory(file))) {
            throw new InvalidInput(file + ": cannot be read (expected: a YAML or JSON file, or - for standard input)");
        }
        byte[] bytes = standard ? System.in.readAllBytes() : Files.readAllBytes(file);
        try {
            JsonNode state = isJson(file, bytes) ? Json.mapper().readTree(bytes) : Yaml.read(bytes);
            if (!state.isObject()) {
                throw new InvalidInput(file + ": (expected: a mapping of kinds to resources)");
            }
            return state;
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : ":" + e.getLocation().getLineNr() + ":" + e.getLocation().getColumnNr();
            throw new InvalidInput(file + where + ": "
                    + e.getOriginalMessage().lines().findFirst().orElse("malformed"));
        }
    }

    private static boolean isJson(Path file, byte[] bytes) {
        if (file.toString().toLowerCase(Locale.ROOT).endsWith(".json")) {
            return true;
        }
        for (byte one : bytes) {
            if (!Character.isWhitespace(one)) {
                return one == '{' && !file.toString().matches("(?i).*\\.ya?ml");
            }
        }
        return false;
    }
}
