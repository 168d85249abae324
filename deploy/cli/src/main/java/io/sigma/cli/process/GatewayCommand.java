package io.sigma.cli.process;

import io.sigma.cli.input.SettingsOption;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "gateway",
        description = "Run a gateway that the control planes of SIGMA_CONTROL_PLANES, or a file, configure.")
public final class GatewayCommand implements Callable<Integer> {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A sigma.json file to serve, instead of control planes. The gateway reads it again when it "
                    + "changes.")
    @Nullable
    Path config;

    @Option(names = "--options", paramLabel = "FILE", description = "A JSON file of Vert.x options.")
    @Nullable
    Path options;

    @Mixin
    TakeoverOption takeover = new TakeoverOption();

    @Mixin
    SettingsOption settings = new SettingsOption();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        return GatewayProcess.run(
                settings.read(),
                config,
                options,
                takeover.isWanted(),
                spec.commandLine().getOut());
    }
}
