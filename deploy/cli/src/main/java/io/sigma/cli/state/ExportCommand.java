package io.sigma.cli.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.cli.input.ExitCode;
import io.sigma.json.Json;
import io.sigma.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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
        description = "Write the whole configuration, or the part with a label, in a form that apply accepts. "
                + "Secrets are left out, and apply keeps the stored ones.")
public final class ExportCommand implements Callable<Integer> {

    enum Format {
        YAML,
        JSON
    }

    /** Facts about the moment of the export, which would differ each time. */
    private static final List<String> LEFT_OUT = List.of("revision", "stateHash");

    @Mixin
    ConfigOptions config = new ConfigOptions();

    @Option(names = "--format", description = "One of ${COMPLETION-CANDIDATES}. The default is ${DEFAULT-VALUE}.")
    Format format = Format.YAML;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "File to write. The default is standard output.")
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
            replace(output, text);
        } else {
            spec.commandLine().getOut().print(new String(text, UTF_8));
        }
        return ExitCode.DONE;
    }

    /**
     * Replaces {@code file} at once: of a file that is cut off by a full disk, apply would delete what is missing. A
     * link stays one; pipes and devices are written to.
     */
    private static void replace(Path file, byte[] text) throws IOException {
        boolean exists = Files.exists(file);
        if (exists && !Files.isRegularFile(file)) {
            Files.write(file, text);
            return;
        }
        Path target = exists ? file.toRealPath() : file.toAbsolutePath();
        Path fresh = target.resolveSibling(
                "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".new");
        try {
            Files.write(fresh, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            if (exists) {
                Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(target));
            }
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /**
     * Says first which part it is: applied without that, it would be the whole, and what others have would be deleted.
     */
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
