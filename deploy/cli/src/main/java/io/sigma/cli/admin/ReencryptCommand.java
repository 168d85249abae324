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
import picocli.CommandLine.Spec;

@Command(
        name = "re-encrypt",
        description = "Encrypt all secrets in the database again, with the current secretKey. It can be run again, "
                + "and while other clients write. Afterwards secretKeyPrevious can be removed.")
public final class ReencryptCommand implements Callable<Integer> {

    @Mixin
    ApiOptions apiOptions = new ApiOptions();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (AdminApi api = apiOptions.open()) {
            long rows = api.send("POST", "/secrets/reencryption", Map.of())
                    .path("reencrypted")
                    .asLong();
            spec.commandLine().getOut().printf("%d rows were encrypted with the previous key; none is now%n", rows);
        }
        return ExitCode.DONE;
    }
}
