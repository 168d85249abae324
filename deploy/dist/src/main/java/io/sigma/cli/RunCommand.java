package io.sigma.cli;

import io.sigma.standalone.ProcessSettings;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        description = "Run a gateway from a sigma.json file; another form of \"sigma gateway --config\".")
final class RunCommand implements Callable<Integer> {

    private static final int INSTANCES_MAX = 1024;

    @Option(names = "-conf", required = true, paramLabel = "FILE", description = "The sigma.json file to serve.")
    Path config = Path.of("sigma.json");

    @Option(names = "-options", paramLabel = "FILE", description = "A JSON file of Vert.x options.")
    @Nullable
    Path options;

    @Option(
            names = {"-instance", "-instances"},
            paramLabel = "N",
            description = "Event loops that carry traffic; one for each processor when absent.")
    @Nullable
    Integer instances;

    @Mixin
    SettingsOption settings = new SettingsOption();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (instances != null && (instances < 1 || instances > INSTANCES_MAX)) {
            throw new InvalidInput("-instance: %d (expected: 1..%d)".formatted(instances, INSTANCES_MAX));
        }
        ProcessSettings read = settings.read();
        ProcessSettings chosen = instances == null ? read : read.with("eventLoops", instances);
        return UntilStopped.run(
                chosen.gateway().stopMillis(),
                () -> GatewayProcess.start(
                        chosen, config, options, spec.commandLine().getOut()));
    }
}
