package io.sigma.cli.process;

import io.sigma.cli.input.SettingsOption;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts a gateway whose command line names at most a file, without picocli. Describing a command took a tenth of a
 * start. What it does is the same as that of {@link GatewayCommand} and {@link RunCommand}.
 */
public final class PlainGateway {

    private static final String GATEWAY = "gateway";
    private static final String RUN = "run";

    private final @Nullable Path config;

    private PlainGateway(@Nullable Path config) {
        this.config = config;
    }

    /** Returns the gateway that {@code words} ask for; null when they say more. */
    public static @Nullable PlainGateway of(List<String> words) {
        if (words.equals(List.of(GATEWAY))) {
            return new PlainGateway(null);
        }
        if (words.equals(List.of(RUN))) {
            return new PlainGateway(Path.of(RunCommand.FILE));
        }
        if (words.size() != 3 || words.getLast().isEmpty() || words.getLast().startsWith("-")) {
            return null;
        }
        boolean namesFile = words.getFirst().equals(GATEWAY)
                ? words.get(1).equals("--config")
                : words.getFirst().equals(RUN) && RunCommand.CONFIG_OPTIONS.contains(words.get(1));
        return namesFile ? new PlainGateway(Path.of(words.getLast())) : null;
    }

    /** Returns the file that configures it; null when the settings say. */
    public @Nullable Path config() {
        return config;
    }

    /** Runs it until it is told to stop; returns the exit code. */
    public int run(PrintWriter out) throws Exception {
        return GatewayProcess.run(new SettingsOption().read(), config, null, false, out);
    }
}
