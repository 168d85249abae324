package io.sigma.cli.admin;

import io.sigma.cli.api.AdminApi;
import io.sigma.cli.api.ApiOptions;
import io.sigma.cli.input.ExitCode;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "readmit", description = "Let a revoked gateway enroll again. Its earlier certificates stay refused.")
public final class ReadmitCommand implements Callable<Integer> {

    @Parameters(paramLabel = "ID", description = "The gateway.")
    String id = "";

    @Mixin
    ApiOptions apiOptions = new ApiOptions();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (AdminApi api = apiOptions.open()) {
            api.send("DELETE", RevocationsCommand.path(id), Map.of());
        }
        spec.commandLine().getOut().printf("gateway %s may enroll again%n", id);
        return ExitCode.DONE;
    }
}
