package io.sigma.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The configuration at the admin API, or the part of it that a command is about. */
final class ConfigOptions {

    private static final String PATH = "/config";

    @Mixin
    ApiOptions api = new ApiOptions();

    @Option(
            names = "--label",
            paramLabel = "KEY=VALUE",
            description = "Only the resources that carry this label; all others are left alone.")
    @Nullable
    String label;

    /** Returns the state. */
    JsonNode export() throws IOException, InterruptedException {
        Map<String, String> query = query(Map.of());
        try (AdminApi admin = api.open()) {
            return admin.get(PATH, query);
        }
    }

    /**
     * Makes the state as {@code wanted} says, and returns what that changes.
     *
     * @param more parameters of the write
     * @param ifMatch tag that the state must still have; null for none
     */
    JsonNode declare(JsonNode wanted, Map<String, String> more, @Nullable String ifMatch)
            throws IOException, InterruptedException {
        Map<String, String> query = query(more);
        try (AdminApi admin = api.open()) {
            return admin.put(PATH, query, wanted, ifMatch);
        }
    }

    private Map<String, String> query(Map<String, String> more) {
        Map<String, String> query = new LinkedHashMap<>(more);
        if (label != null) {
            if (!label.matches("(?s)[^=]{1,128}=.*")) {
                throw new InvalidInput("--label: \"" + label + "\" (expected: key=value)");
            }
            query.put("label", label);
        }
        return query;
    }
}
