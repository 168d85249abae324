package io.sigma.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.cli.api.Answered;
import io.sigma.cli.api.FieldDiff;
import io.sigma.cli.input.ExitCode;
import io.sigma.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "diff",
        description = "Show the changes that apply would make, field by field, and their new findings. Exit code "
                + "0: no change. Exit code 1: changes.")
public final class DiffCommand implements Callable<Integer> {

    private static final int DIFFERENT = 1;

    @Parameters(paramLabel = "FILE", description = "The wanted state, YAML or JSON; - is standard input.")
    Path file = Path.of("-");

    @Mixin
    ConfigOptions config = new ConfigOptions();

    @Mixin
    FindingsReport findings = new FindingsReport();

    @Option(names = "--json", description = "Print the answer of the admin API as JSON, each change with its fields.")
    boolean json;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Answered answered = config.declare(StateFile.read(file), Map.of("dryRun", "true"), null);
        JsonNode result = answered.body();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(forScripts(answered)));
        } else {
            print(out, answered);
        }
        return findings.exitCode(result, result.path("changes").isEmpty() ? ExitCode.DONE : DIFFERENT);
    }

    private static JsonNode forScripts(Answered answered) {
        ObjectNode copy = answered.body().deepCopy();
        if (answered.tag() != null) {
            copy.put("etag", answered.tag());
        }
        copy.path("changes").forEach(change -> {
            ArrayNode fields = ((ObjectNode) change).putArray("fields");
            FieldDiff.of(change.path("before"), change.path("after")).forEach(field -> {
                ObjectNode one = fields.addObject().put("path", field.path());
                one.set("before", field.before());
                one.set("after", field.after());
            });
        });
        return copy;
    }

    /**
     * Prints what would change, who could serve it, its findings, and the tag by which {@code apply} does this or
     * nothing.
     */
    static void print(PrintWriter out, Answered answered) {
        JsonNode result = answered.body();
        for (JsonNode change : result.path("changes")) {
            String action = change.path("action").asText();
            out.println(
                    (action.equals("CREATE") ? "+ " : action.equals("DELETE") ? "- " : "~ ") + FieldDiff.label(change));
            if (action.equals("CREATE")) {
                FieldDiff.leaves(change.path("after"))
                        .forEach((path, value) -> out.println("    " + path + ": " + FieldDiff.shown(value)));
            } else if (action.equals("UPDATE")) {
                var fields = FieldDiff.of(change.path("before"), change.path("after"));
                fields.forEach(field -> out.println("    " + field));
                if (fields.isEmpty()) {
                    out.println("    a secret: [redacted] -> [redacted]");
                }
            }
        }
        out.println(summary(result));
        VotesReport.print(out, result);
        FindingsReport.print(out, result);
        if (answered.tag() != null) {
            out.println("tag: " + answered.tag());
        }
    }

    static String summary(JsonNode result) {
        return "%d to create, %d to update, %d to delete, %d unchanged"
                .formatted(
                        result.path("created").asInt(),
                        result.path("updated").asInt(),
                        result.path("deleted").asInt(),
                        result.path("unchanged").asInt());
    }
}
