package io.sigma.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.cli.api.AdminApi;
import io.sigma.cli.api.ApiOptions;
import io.sigma.cli.api.FieldDiff;
import io.sigma.cli.input.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "list", description = "List the imports of OpenAPI documents with their numbers of routes.")
public final class ImportListCommand implements Callable<Integer> {

    static final String PATH = "/import/openapi";

    @Mixin
    ApiOptions apiOptions = new ApiOptions();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (AdminApi api = apiOptions.open()) {
            for (JsonNode one : api.get(PATH, Map.of()).path("items")) {
                out.printf(
                        "%s  %d routes%s%n",
                        one.path("id").asText(),
                        one.path("routes").asInt(),
                        one.has("name") ? "  " + FieldDiff.shown(one.path("name")) : "");
            }
        }
        return ExitCode.DONE;
    }
}
