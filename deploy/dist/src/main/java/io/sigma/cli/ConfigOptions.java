package io.sigma.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which part of the state a command is about. */
final class ConfigOptions {

    static final String PATH = "/config";

    @Option(
            names = "--label",
            paramLabel = "KEY=VALUE",
            description = "Only the resources that carry this label; all others are left alone.")
    @Nullable
    String label;

    /** @throws InvalidInput when the label is none */
    Map<String, String> query() {
        Map<String, String> query = new LinkedHashMap<>();
        if (label != null) {
            if (!label.matches("(?s)[^=]{1,128}=.*")) {
                throw new InvalidInput("--label: \"" + label + "\" (expected: key=value)");
            }
            query.put("label", label);
        }
        return query;
    }
}
