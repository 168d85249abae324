package io.sigma.dataplane.snapshot;

import io.sigma.check.GatewayPath;
import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.disk.PathRefused;
import io.sigma.json.JsonPointer;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the files and folders that resources name. A change that names what the settings of the gateway do not open
 * is voted against. What is stored already, or was committed without this gateway, is served without that, as a gateway
 * must start and follow whatever there is. Blocks; any thread.
 */
final class NamedPaths {

    private static final Logger LOG = LoggerFactory.getLogger(NamedPaths.class);

    private NamedPaths() {}

    /**
     * Looks at what differs from {@code good}.
     *
     * @throws SnapshotRefused with the pointer of the first that must not be named
     */
    static void check(ConfigState next, ConfigState good, GatewayDisk disk) {
        forEachRefused(next, good, disk, (pointer, cause) -> {
            throw new SnapshotRefused(pointer, String.valueOf(cause.getMessage()));
        });
    }

    /** Logs what differs from {@code good} and is refused. */
    static void tell(ConfigState next, ConfigState good, GatewayDisk disk) {
        forEachRefused(next, good, disk, (pointer, cause) -> {
            if (cause instanceof PathRefused) {
                LOG.error("{} is served without the file or folder that it names: {}", pointer, cause.getMessage());
            }
        });
    }

    private static void forEachRefused(
            ConfigState next, ConfigState good, GatewayDisk disk, BiConsumer<String, IOException> refused) {
        for (ResourceType<?> type : ResourceType.ALL) {
            next.forEachChange(good, type, (id, before, after) -> {
                if (after == null) {
                    return;
                }
                for (GatewayPath path : GatewayPath.of(after)) {
                    try {
                        disk.check(path.use(), path.text());
                    } catch (IOException e) {
                        refused.accept(JsonPointer.of(type.field(), id) + path.pointer(), e);
                    }
                }
            });
        }
    }
}
