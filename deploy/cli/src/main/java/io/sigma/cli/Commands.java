package io.sigma.cli;

import io.sigma.cli.admin.ReadmitCommand;
import io.sigma.cli.admin.RevocationsCommand;
import io.sigma.cli.admin.RevokeCommand;
import io.sigma.cli.admin.SecretsCommand;
import io.sigma.cli.admin.WaiveCommand;
import io.sigma.cli.process.ControlPlaneCommand;
import io.sigma.cli.process.DemoUpstreamCommand;
import io.sigma.cli.process.EnrollCommand;
import io.sigma.cli.process.GatewayCommand;
import io.sigma.cli.process.RunCommand;
import io.sigma.cli.process.StandaloneCommand;
import io.sigma.cli.state.ApplyCommand;
import io.sigma.cli.state.DiffCommand;
import io.sigma.cli.state.ExportCommand;
import io.sigma.cli.state.ImportCommand;
import io.sigma.cli.state.ValidateCommand;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;

/**
 * The commands below {@code sigma}. Describing all of them by their annotations was a third of what the main thread did
 * in the start of a gateway, so a process that serves gets its own command alone. What it prints is the same.
 */
final class Commands {

    static final String GATEWAY = "gateway";

    /** In the order of the usage text. */
    private static final List<Class<?>> ALL = List.of(
            HelpCommand.class,
            StandaloneCommand.class,
            ControlPlaneCommand.class,
            GatewayCommand.class,
            RunCommand.class,
            EnrollCommand.class,
            ValidateCommand.class,
            ExportCommand.class,
            DiffCommand.class,
            ApplyCommand.class,
            ImportCommand.class,
            SecretsCommand.class,
            DemoUpstreamCommand.class,
            HealthCommand.class,
            VersionCommand.class);

    private static final List<Class<?>> OF_GATEWAY =
            List.of(RevokeCommand.class, ReadmitCommand.class, RevocationsCommand.class, WaiveCommand.class);

    /** Commands that serve, by their names. */
    static final Map<String, Class<?>> SERVING = Map.of(
            "standalone",
            StandaloneCommand.class,
            "control-plane",
            ControlPlaneCommand.class,
            GATEWAY,
            GatewayCommand.class,
            "run",
            RunCommand.class);

    private Commands() {}

    /** Returns {@code sigma} with the commands that {@code words} can mean. */
    static CommandLine of(CommandLine sigma, String... words) {
        Class<?> serving = words.length == 0 ? null : SERVING.get(words[0]);
        List<Class<?>> needed = serving == null ? ALL : List.of(serving);
        needed.forEach(sigma::addSubcommand);
        CommandLine gateway = sigma.getSubcommands().get(GATEWAY);
        if (gateway != null && !isPlainGateway(words)) {
            OF_GATEWAY.forEach(gateway::addSubcommand);
        }
        return sigma;
    }

    /** Returns whether no further command and no help can be meant. */
    private static boolean isPlainGateway(String... words) {
        return words.length > 0
                && words[0].equals(GATEWAY)
                && (words.length == 1 || (words.length == 3 && words[1].equals("--config")));
    }
}
