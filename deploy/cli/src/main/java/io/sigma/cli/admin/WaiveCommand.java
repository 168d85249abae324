package io.sigma.cli.admin;

import io.sigma.cli.api.AdminApi;
import io.sigma.cli.api.ApiOptions;
import io.sigma.cli.input.ExitCode;
import io.sigma.cli.input.InvalidInput;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "waive",
        description = "Let writes succeed although a gateway refuses the newest revision, until the gateway serves it.")
public final class WaiveCommand implements Callable<Integer> {

    @Parameters(paramLabel = "ID", description = "The gateway.")
    String id = "";

    @Mixin
    ApiOptions apiOptions = new ApiOptions();

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Reason, stored with the waiver and in the audit log.")
    @Nullable
    String reason;

    @Option(names = "--end", description = "Let the refusals of the gateway block writes again.")
    boolean end;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (end && reason != null) {
            throw new InvalidInput("--reason: \"" + reason + "\" with --end (expected: one of the two)");
        }
        try (AdminApi api = apiOptions.open()) {
            api.send(
                    end ? "DELETE" : "PUT",
                    RevocationsCommand.path(id, "waiver"),
                    reason == null ? Map.of() : Map.of("reason", reason));
        }
        spec.commandLine().getOut().printf(end ? "gateway %s is no longer waived%n" : "gateway %s is waived%n", id);
        return ExitCode.DONE;
    }
}
