package io.sigma.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.cli.api.AdminApi;
import io.sigma.cli.api.Answered;
import io.sigma.cli.api.ApiOptions;
import io.sigma.cli.input.InvalidInput;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The configuration at the admin API, or the part of it that a command is about. */
public final class ConfigOptions {

    private static final String PATH = "/config";

    @Mixin
    ApiOptions api = new ApiOptions();

    @Option(
            names = "--label",
            paramLabel = "KEY=VALUE",
            description = "Only the resources with this label. All others stay unchanged. An export writes the label "
                    + "into its file, and a file with a label needs no option.")
    @Nullable
    String label;

    /** Returns the state. */
    JsonNode export() throws IOException, InterruptedException {
        Map<String, String> query = query(label, Map.of());
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
    Answered declare(StateFile wanted, Map<String, String> more, @Nullable String ifMatch)
            throws IOException, InterruptedException {
        Map<String, String> query = query(part(wanted), more);
        try (AdminApi admin = api.open()) {
            return admin.put(PATH, query, wanted.state(), ifMatch);
        }
    }

    /**
     * Returns the label of what is declared: a file that speaks for a part must not be taken for the whole, or another
     * part.
     */
    private @Nullable String part(StateFile wanted) {
        String said = wanted.label();
        if (said == null || label == null || said.equals(label)) {
            return said == null ? label : said;
        }
        throw new InvalidInput("--label: \"" + label + "\" (expected: \"" + said + "\", as the file says, or none)");
    }

    private static Map<String, String> query(@Nullable String part, Map<String, String> more) {
        Map<String, String> query = new LinkedHashMap<>(more);
        if (part != null) {
            if (!part.matches("(?s)[^=]{1,128}=.*")) {
                throw new InvalidInput("label: \"" + part + "\" (expected: key=value)");
            }
            query.put("label", part);
        }
        return query;
    }
}
