package io.sigma.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.check.Faults;
import io.sigma.json.Json;
import io.sigma.json.ParserMessage;
import io.sigma.value.Mismatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the sigma.json file format into the model. Every key of the format is accepted, any other is refused. */
public final class SigmaJsonReader {

    /** Largest file that is read, in bytes. */
    public static final int FILE_BYTES_MAX = 16 * 1024 * 1024;

    private SigmaJsonReader() {}

    /**
     * Returns what the file says; relative paths in it are resolved against its folder. Blocks.
     *
     * @throws SigmaJsonRefused when it is malformed, has an unknown key, an invalid value or a reference to nothing
     * @throws IOException when it cannot be read
     */
    public static SigmaJson read(Path file) throws IOException {
        long bytes = Files.size(file);
        if (bytes > FILE_BYTES_MAX) {
            throw new SigmaJsonRefused(
                    List.of(Faults.of("", Mismatch.of(file + ": " + bytes + " bytes", "at most " + FILE_BYTES_MAX))));
        }
        JsonNode root;
        try {
            root = Json.mapper().readTree(Files.readAllBytes(file));
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr();
            throw new SigmaJsonRefused(
                    List.of(Faults.plain("", "malformed JSON" + where + ": " + ParserMessage.of(e))));
        }
        return read(root, file.toAbsolutePath().getParent());
    }

    /**
     * Returns what {@code root} says; relative paths in it are kept.
     *
     * @throws SigmaJsonRefused as {@link #read(Path)}
     */
    public static SigmaJson read(JsonNode root) {
        return read(root, null);
    }

    private static SigmaJson read(JsonNode root, @Nullable Path folder) {
        Report report = new Report(folder);
        if (!root.isObject()) {
            report.error("", Mismatch.of("", "a JSON object"));
            throw new SigmaJsonRefused(report.errors());
        }
        ObjectFields file = ObjectFields.of(report, root);
        ProcessPlugins plugins = ProcessPlugins.read(file.object("plugins"));
        ListenerSection.read(report, file.object("proxy-server"), plugins);
        UpstreamSection.read(report, file.array("upstream"), file.object("proxy-client"));
        ProxyPassSection.read(report, file.array("proxy-pass"));
        RouterSection.read(report, file.array("router"));
        file.refuseOthers();
        return report.finish();
    }
}
