package io.sigma.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;
import io.sigma.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "export",
        description = "Write the whole configuration, or the part with a label, so that apply changes nothing with it."
                + " Secrets are left out: applied like that they are kept.")
final class ExportCommand implements Callable<Integer> {

    enum Format {
        YAML,
        JSON
    }

    /** Facts about the moment of the export, which would differ each time. */
    private static final List<String> LEFT_OUT = List.of("revision", "stateHash");

    @Mixin
    ConfigOptions config = new ConfigOptions();

    @Option(names = "--format", description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} when not given.")
    Format format = Format.YAML;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where to write; standard output when not given.")
    @Nullable
    Path output;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ObjectNode state = (ObjectNode) config.export();
        state.remove(LEFT_OUT);
        byte[] text = text(labelled(state));
        if (output != null) {
            Files.write(output, text);
        } else {
            spec.commandLine().getOut().print(new String(text, UTF_8));
        }
        return Main.DONE;
    }

    /** Says first which part it is: applied without that, it would be the whole, and what others have would be deleted. */
    private ObjectNode labelled(ObjectNode state) {
        if (config.label == null) {
            return state;
        }
        ObjectNode part = Json.mapper().createObjectNode().put(StateFile.LABEL, config.label);
        return part.setAll(state);
    }

    private byte[] text(ObjectNode state) throws JsonProcessingException {
        return format == Format.YAML
                ? Yaml.bytes(state)
                : (Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(state) + "\n").getBytes(UTF_8);
    }
}
