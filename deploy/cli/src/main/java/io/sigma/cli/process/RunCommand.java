package io.sigma.cli.process;

import io.sigma.cli.input.InvalidInput;
import io.sigma.cli.input.SettingsOption;
import io.sigma.standalone.ProcessSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        description = "Run a gateway from a sigma.json file, like \"sigma gateway --config\". Without a command, "
                + "\"sigma\" runs the sigma.json of the current folder.")
public final class RunCommand implements Callable<Integer> {

    private static final int INSTANCES_MAX = 1024;

    public static final String FILE = "sigma.json";

    static final List<String> CONFIG_OPTIONS = List.of("-conf", "--conf");

    @Parameters(
            arity = "0..1",
            paramLabel = "CLASS",
            description = "A class such as net.oooops.sigma.Sigma, accepted for users of the format and ignored.")
    @Nullable
    String main;

    @Option(
            names = {"-conf", "--conf"},
            paramLabel = "FILE",
            description = "The sigma.json file to serve. The default is that of the current folder.")
    Path config = Path.of(FILE);

    @Option(
            names = {"-options", "--options"},
            paramLabel = "FILE",
            description = "A JSON file of Vert.x options.")
    @Nullable
    Path options;

    @Option(
            names = {"-instance", "-instances", "--instances"},
            paramLabel = "N",
            description = "Event loops that carry traffic. The default is one per processor.")
    @Nullable
    Integer instances;

    @Mixin
    TakeoverOption takeover = new TakeoverOption();

    @Mixin
    SettingsOption settings = new SettingsOption();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (instances != null && (instances < 1 || instances > INSTANCES_MAX)) {
            throw new InvalidInput("-instance: %d (expected: 1..%d)".formatted(instances, INSTANCES_MAX));
        }
        if (main != null && !isClass(main)) {
            throw new InvalidInput(
                    "\"" + main + "\" (expected: a class such as net.oooops.sigma.Sigma, or -conf FILE)");
        }
        ProcessSettings read = settings.read();
        ProcessSettings chosen = instances == null ? read : read.with("eventLoops", instances);
        return GatewayProcess.run(
                chosen, config, options, takeover.isWanted(), spec.commandLine().getOut());
    }

    /** The class that users of the format name is not there: what it did is done here. A file is not one by mistake. */
    private static boolean isClass(String name) {
        int simple = name.lastIndexOf('.') + 1;
        return name.indexOf('/') < 0 && simple < name.length() && Character.isUpperCase(name.charAt(simple));
    }
}
