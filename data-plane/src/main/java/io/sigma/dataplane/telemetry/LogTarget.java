package io.sigma.dataplane.telemetry;

import io.sigma.model.AccessLogPlugin;
import io.sigma.value.LogTemplate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The format and destination of a record.
 *
 * @param template null for JSON
 * @param file null for where the settings of the gateway say
 * @param fileBytesMax from which a file is put aside
 * @param filesMax how many are kept, the one that is written included
 */
public record LogTarget(
        @Nullable LogTemplate template, @Nullable String file, long fileBytesMax, int filesMax) {

    /** JSON, where the settings of the gateway say. */
    public static final LogTarget DEFAULT = new LogTarget(null, null, Long.MAX_VALUE, 1);

    /** Returns whether lines for {@code other} go where lines for this one go. */
    @SuppressWarnings("ReferenceEquality") // Mostly it is the same, which needs no look at paths.
    boolean sharesFile(LogTarget other) {
        return this == other
                || (Objects.equals(file, other.file)
                        && fileBytesMax == other.fileBytesMax
                        && filesMax == other.filesMax);
    }

    /** Returns the target that the plugin asks for. */
    public static LogTarget of(AccessLogPlugin plugin) {
        LogTemplate template = switch (plugin.format()) {
            case JSON -> null;
            case COMBINED -> LogTemplate.COMBINED;
            case TEMPLATE -> LogTemplate.parse(Objects.requireNonNull(plugin.template()));
        };
        return new LogTarget(template, plugin.path(), plugin.fileBytesMax(), plugin.filesMax());
    }
}
