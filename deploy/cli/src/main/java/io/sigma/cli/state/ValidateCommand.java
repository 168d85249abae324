package io.sigma.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.check.Faults;
import io.sigma.check.GatewayPath;
import io.sigma.cli.input.ExitCode;
import io.sigma.cli.input.InvalidInput;
import io.sigma.cli.input.SettingsOption;
import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.disk.PathRefused;
import io.sigma.format.SigmaJson;
import io.sigma.format.SigmaJsonReader;
import io.sigma.format.SigmaJsonRefused;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "validate",
        description = "Check a sigma.json file. Exit code 0: a gateway would load it. Exit code 2: it would refuse it.")
public final class ValidateCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "The file to check.")
    Path file = Path.of("sigma.json");

    @Mixin
    SettingsOption settings = new SettingsOption();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new InvalidInput(file + ": cannot be read (expected: a sigma.json file)");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            SigmaJson read = SigmaJsonReader.read(file);
            checkPaths(read);
            read.warnings().forEach(warning -> err.println(line("warning: ", warning)));
            String summary = summary(read.changes());
            out.printf("%s: valid, %s%n", file, summary.isEmpty() ? "nothing in it" : summary);
            return ExitCode.DONE;
        } catch (SigmaJsonRefused refused) {
            if (isDeclaredState()) {
                throw new InvalidInput(file + ": a declared state, not a sigma.json file (expected: sigma diff " + file
                        + ", which asks a control plane)");
            }
            refused.errors().forEach(error -> err.println(line("", error)));
            return ExitCode.INVALID;
        }
    }

    /** A gateway that serves the file would refuse the paths that its settings do not open. */
    private void checkPaths(SigmaJson read) throws SigmaJsonRefused {
        GatewayDisk disk = GatewayDisk.of(
                settings.read().with("configFile", file.toAbsolutePath()).gateway());
        List<FieldError> refused = new ArrayList<>();
        for (EntityChange change : read.changes()) {
            Object resource = Objects.requireNonNull(change.resource());
            for (GatewayPath path : GatewayPath.of(resource)) {
                try {
                    disk.check(path.use(), path.text());
                } catch (PathRefused e) {
                    String pointer = read.pointer(change.kind(), change.id(), path.pointer());
                    refused.add(Faults.notPermitted(pointer, e.mismatch()));
                } catch (IOException e) {
                    String pointer = read.pointer(change.kind(), change.id(), path.pointer());
                    refused.add(Faults.failed(pointer, String.valueOf(e.getMessage())));
                }
            }
        }
        if (!refused.isEmpty()) {
            throw new SigmaJsonRefused(refused);
        }
    }

    /** A state has kinds in the plural, and nothing of what each sigma.json file has. */
    private boolean isDeclaredState() throws IOException {
        try {
            JsonNode state = StateFile.read(file).state();
            return !state.has("proxy-server") && ResourceType.ALL.stream().anyMatch(type -> state.has(type.field()));
        } catch (InvalidInput e) {
            return false;
        }
    }

    private String line(String prefix, FieldError error) {
        return file + ": " + prefix + (error.pointer().isEmpty() ? "" : error.pointer() + ": ") + error.detail();
    }

    private static String summary(List<EntityChange> changes) {
        Map<Kind, Long> counts = changes.stream()
                .collect(Collectors.groupingBy(EntityChange::kind, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + words(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String words(Kind kind, long count) {
        String word = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        if (count == 1) {
            return word;
        }
        return word.endsWith("s") ? word + "es" : word + "s";
    }
}
