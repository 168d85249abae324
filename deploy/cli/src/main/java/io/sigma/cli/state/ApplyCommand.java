package io.sigma.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.cli.api.Answered;
import io.sigma.cli.input.ExitCode;
import io.sigma.cli.input.InvalidInput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
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
        name = "apply",
        description = "Replace the configuration, or the part with a label, by a file, in one revision. Resources "
                + "that the file does not contain are deleted. Equal resources stay unchanged.")
public final class ApplyCommand implements Callable<Integer> {

    private static final int NOT_ACKNOWLEDGED = 6;

    /** The gateways that the control plane waits for before it answers. */
    enum Wait {
        NONE,
        QUORUM,
        ALL
    }

    @Parameters(paramLabel = "FILE", description = "The wanted state, YAML or JSON; - is standard input.")
    Path file = Path.of("-");

    @Mixin
    ConfigOptions config = new ConfigOptions();

    @Option(names = "--dry-run", description = "Do everything except the commit, and print the changes.")
    boolean dryRun;

    @Mixin
    FindingsReport findings = new FindingsReport();

    @Option(
            names = "--wait",
            paramLabel = "all|quorum|none",
            description = "Wait until all live gateways, or more than half of them, have acknowledged the revision. "
                    + "Exit code 6: the gateways have not acknowledged it in time.")
    Wait wait = Wait.NONE;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Longest wait for gateways, such as 30s. The default is 5s.")
    @Nullable
    String timeout;

    @Option(
            names = {"-m", "--message"},
            paramLabel = "TEXT",
            description = "Reason, stored with the revision.")
    @Nullable
    String message;

    @Option(
            names = "--if-match",
            paramLabel = "TAG",
            description = "Apply only while the state, or the part with the label, has this entity tag, which diff "
                    + "prints. Exit code 5: the tag has changed.")
    @Nullable
    String ifMatch;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (findings.failOn != null && !dryRun) {
            throw new InvalidInput(
                    "--fail-on: without --dry-run (expected: both, because otherwise the change is made)");
        }
        StateFile wanted = StateFile.read(file);
        Map<String, String> query = new LinkedHashMap<>();
        query.put("wait", wait.name().toLowerCase(Locale.ROOT));
        if (dryRun) {
            query.put("dryRun", "true");
        }
        if (timeout != null) {
            query.put("timeout", timeout);
        }
        if (message != null) {
            query.put("message", message);
        }
        Answered answered = config.declare(wanted, query, ifMatch);
        JsonNode result = answered.body();
        PrintWriter out = spec.commandLine().getOut();
        if (dryRun) {
            DiffCommand.print(out, answered);
            return findings.exitCode(result, ExitCode.DONE);
        }
        JsonNode revision = result.path("revision");
        out.printf(
                "revision %d: %s%n",
                revision.path("number").asLong(),
                revision.path("changed").asBoolean() ? done(result) : "nothing to change");
        VotesReport.print(out, result);
        FindingsReport.print(out, result);
        return wait != Wait.NONE && !revision.path("complete").asBoolean(true)
                ? unacknowledged(revision)
                : ExitCode.DONE;
    }

    private static String done(JsonNode result) {
        return "%d created, %d updated, %d deleted, %d unchanged"
                .formatted(
                        result.path("created").asInt(),
                        result.path("updated").asInt(),
                        result.path("deleted").asInt(),
                        result.path("unchanged").asInt());
    }

    private int unacknowledged(JsonNode revision) {
        PrintWriter err = spec.commandLine().getErr();
        for (JsonNode gateway : revision.path("gateways")) {
            String answer = gateway.path("answer").asText();
            if (!answer.equals("ACK")) {
                err.println("sigma: gateway " + gateway.path("gatewayId").asText() + ": " + answer
                        + (gateway.has("refusal") ? " " + refusal(gateway.path("refusal")) : ""));
            }
        }
        return NOT_ACKNOWLEDGED;
    }

    private static String refusal(JsonNode refusal) {
        return refusal.path("pointer").asText() + ": " + refusal.path("message").asText();
    }
}
