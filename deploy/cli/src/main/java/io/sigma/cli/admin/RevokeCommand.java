package io.sigma.cli.admin;

import io.sigma.cli.api.AdminApi;
import io.sigma.cli.api.ApiOptions;
import io.sigma.cli.input.ExitCode;
import java.io.IOException;
import java.util.HashMap;
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
        name = "revoke",
        description = "Revoke a gateway. Control planes accept none of its certificates, close its connection at "
                + "once, and issue no new certificate. The gateway keeps serving its last good snapshot: stop it on "
                + "its own machine.")
public final class RevokeCommand implements Callable<Integer> {

    @Parameters(paramLabel = "ID", description = "The gateway.")
    String id = "";

    @Mixin
    ApiOptions apiOptions = new ApiOptions();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Reason, stored with the revocation.")
    @Nullable
    String reason;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> query = new HashMap<>();
        if (reason != null) {
            query.put("reason", reason);
        }
        try (AdminApi api = apiOptions.open()) {
            api.send("PUT", RevocationsCommand.path(id), query);
        }
        spec.commandLine().getOut().printf("gateway %s is revoked%n", id);
        return ExitCode.DONE;
    }
}
