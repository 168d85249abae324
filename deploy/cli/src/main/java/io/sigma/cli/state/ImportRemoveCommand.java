package io.sigma.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.cli.api.AdminApi;
import io.sigma.cli.api.ApiOptions;
import io.sigma.cli.api.FieldDiff;
import io.sigma.cli.input.ExitCode;
import io.sigma.cli.input.Ids;
import java.io.IOException;
import java.io.PrintWriter;
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
        name = "remove",
        description = "Delete everything that was imported from an OpenAPI document, with all later additions, in "
                + "one revision. If other resources refer to it, nothing is deleted.")
public final class ImportRemoveCommand implements Callable<Integer> {

    @Parameters(paramLabel = "ID", description = "The id of the import, as sigma import list shows it.")
    String id = "";

    @Mixin
    ApiOptions apiOptions = new ApiOptions();

    @Option(names = "--dry-run", description = "Print the deletions, and change nothing.")
    boolean dryRun;

    @Option(names = "--message", paramLabel = "TEXT", description = "Reason, stored with the revision.")
    @Nullable
    String message;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        String path = ImportListCommand.PATH + "/" + Ids.segment(id);
        Map<String, String> query = new HashMap<>();
        query.put("dryRun", String.valueOf(dryRun));
        if (message != null) {
            query.put("message", message);
        }
        PrintWriter out = spec.commandLine().getOut();
        try (AdminApi api = apiOptions.open()) {
            JsonNode done = api.send("DELETE", path, query);
            for (JsonNode change : done.path("changes")) {
                out.println("- " + FieldDiff.label(change));
            }
            out.printf(
                    "import %s: %d resources %s%n",
                    id, done.path("deleted").asInt(), dryRun ? "would be deleted" : "are deleted");
            if (!dryRun) {
                VotesReport.print(out, done);
            }
        }
        return ExitCode.DONE;
    }
}
