package io.sigma.cli.process;

import io.sigma.cli.input.InvalidInput;
import io.sigma.cli.input.SettingsOption;
import io.sigma.standalone.ProcessSettings;
import io.sigma.standalone.Standalone;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "standalone",
        description = "Run control plane and gateway in one process, with an embedded PostgreSQL unless "
                + "SIGMA_DATABASE_URL names another.")
public final class StandaloneCommand implements Callable<Integer> {

    private static final int PORT_MAX = 65_535;

    @Option(
            names = "--demo",
            description = "Also run a demo upstream, and load a configuration for it into an empty store.")
    boolean demo;

    @Option(
            names = "--demo-port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Port of the demo's proxy server (${DEFAULT-VALUE}).")
    int demoPort;

    @Mixin
    SettingsOption settings = new SettingsOption();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (demoPort < 1 || demoPort > PORT_MAX) {
            throw new InvalidInput("--demo-port: %d (expected: 1..%d)".formatted(demoPort, PORT_MAX));
        }
        ProcessSettings read = settings.read();
        return UntilStopped.run(read.gateway().stop().millis(), () -> {
            Standalone standalone = Standalone.start(read, demo ? demoPort : null);
            standalone.firstAdmin().ifPresent(spec.commandLine().getOut()::println);
            spec.commandLine().getOut().println(standalone.readyLine());
            return standalone;
        });
    }
}
