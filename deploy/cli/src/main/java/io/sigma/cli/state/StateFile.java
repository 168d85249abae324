package io.sigma.cli.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.cli.api.FieldDiff;
import io.sigma.cli.input.InvalidInput;
import io.sigma.json.Json;
import io.sigma.json.ParserMessage;
import io.sigma.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A declared state, and the part of the whole that it speaks for.
 *
 * @param state what the admin API takes
 * @param label {@code key=value} as the file says it, of which all other resources are to be left alone; null when it
 *     speaks of everything
 */
public record StateFile(ObjectNode state, @Nullable String label) {

    /**
     * The field of a file that says the label; the admin API does not know it, so that nobody takes a part for the
     * whole.
     */
    static final String LABEL = "label";

    private static final Path STANDARD_INPUT = Path.of("-");

    /**
     * Reads a file, YAML or JSON; {@code -} is standard input.
     *
     * @throws InvalidInput when it cannot be read, or is neither
     */
    static StateFile read(Path file) throws IOException {
        boolean standard = file.equals(STANDARD_INPUT);
        if (!standard && (!Files.isReadable(file) || Files.isDirectory(file))) {
            throw new InvalidInput(file + ": cannot be read (expected: a YAML or JSON file, or - for standard input)");
        }
        byte[] bytes = standard ? System.in.readAllBytes() : Files.readAllBytes(file);
        try {
            JsonNode state = isJson(file, bytes) ? Json.mapper().readTree(bytes) : Yaml.read(bytes);
            if (!(state instanceof ObjectNode mapping)) {
                throw new InvalidInput(file + ": (expected: a mapping of kinds to resources)");
            }
            return of(file, mapping);
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : ":" + e.getLocation().getLineNr() + ":" + e.getLocation().getColumnNr();
            throw new InvalidInput(file + where + ": "
                    + ParserMessage.of(e).lines().findFirst().orElse("malformed"));
        }
    }

    private static StateFile of(Path file, ObjectNode mapping) {
        JsonNode label = mapping.remove(LABEL);
        if (label != null && !label.isTextual()) {
            throw new InvalidInput(file + ": label: " + FieldDiff.shown(label) + " (expected: key=value)");
        }
        return new StateFile(mapping, label == null ? null : label.textValue());
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
