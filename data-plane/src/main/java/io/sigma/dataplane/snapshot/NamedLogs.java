package io.sigma.dataplane.snapshot;

import io.sigma.check.PathUse;
import io.sigma.check.ResourcePlugins;
import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.disk.PathRefused;
import io.sigma.json.JsonPointer;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.Plugins;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at access logs that share a file. Whoever names the log of another resource adds lines to it, and must neither
 * have it rotated sooner, which would delete what is in it, nor name a file that it will be put aside as, which would
 * end its rotation. Blocks; any thread.
 */
final class NamedLogs {

    private record Log(String resource, AccessLogPlugin plugin, Path place) {

        boolean sharesRotation(Log other) {
            return plugin.fileBytesMax().equals(other.plugin.fileBytesMax())
                    && plugin.filesMax().equals(other.plugin.filesMax());
        }
    }

    private final Map<Path, List<Log>> all = new HashMap<>();

    private NamedLogs() {}

    /**
     * Looks at the logs of what differs from {@code good}.
     *
     * @throws SnapshotRefused with the pointer of the first that takes part in the file of another one in a different
     *     way
     */
    static void check(ConfigState next, ConfigState good, GatewayDisk disk) {
        List<Log> changed = new ArrayList<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            next.forEachChange(good, type, (id, before, after) -> {
                Log log = after == null ? null : log(type, id, after, disk);
                if (log != null) {
                    changed.add(log);
                }
            });
        }
        if (!changed.isEmpty()) {
            NamedLogs logs = new NamedLogs();
            for (ResourceType<?> type : ResourceType.ALL) {
                next.of(type).forEach((id, resource) -> logs.add(log(type, id, resource, disk)));
            }
            changed.forEach(logs::check);
        }
    }

    /** Returns the log of a resource; null when it names no file, or one that is not open. */
    private static @Nullable Log log(ResourceType<?> type, String id, Object resource, GatewayDisk disk) {
        Plugins plugins = ResourcePlugins.of(resource);
        AccessLogPlugin log = plugins == null ? null : plugins.accessLog();
        String path = log == null ? null : log.path();
        if (log == null || path == null) {
            return null;
        }
        try {
            return new Log(JsonPointer.of(type.field(), id), log, disk.named(PathUse.LOGGED, path));
        } catch (PathRefused e) {
            return null;
        }
    }

    private void add(@Nullable Log log) {
        if (log != null) {
            all.computeIfAbsent(log.place, place -> new ArrayList<>()).add(log);
        }
    }

    private void check(Log log) {
        for (Log other : at(log.place)) {
            if (!other.sharesRotation(log)) {
                throw refused(
                        log,
                        "fileBytesMax " + other.plugin.fileBytesMax() + " and filesMax " + other.plugin.filesMax()
                                + " like the access log of " + other.resource + ", or a separate file");
            }
        }
        // The names that rotated files of this log get, and the logs whose rotated files get this name.
        Stream.concat(
                        aside(log).flatMap(place -> at(place).stream()),
                        whole(log.place).filter(other -> aside(other).anyMatch(log.place::equals)))
                .findFirst()
                .ifPresent(other -> {
                    throw refused(
                            log,
                            "a separate file, because rotation would mix it with the access log of " + other.resource);
                });
    }

    private List<Log> at(Path place) {
        return all.getOrDefault(place, List.of());
    }

    private static Stream<Path> aside(Log log) {
        return Stream.iterate(1, number -> number < log.plugin.filesMax(), number -> number + 1)
                .map(number -> GatewayDisk.aside(log.place, number));
    }

    /** Returns the logs that may be put aside as {@code place}. */
    private Stream<Log> whole(Path place) {
        String name = String.valueOf(place.getFileName());
        int dot = name.lastIndexOf('.');
        return dot <= 0 ? Stream.empty() : at(place.resolveSibling(name.substring(0, dot))).stream();
    }

    private static SnapshotRefused refused(Log log, String expectation) {
        String pointer = log.resource + JsonPointer.of("plugins", "accessLog", "path");
        return new SnapshotRefused(
                pointer, pointer + ": \"" + log.plugin.path() + "\" (expected: " + expectation + ")");
    }
}
