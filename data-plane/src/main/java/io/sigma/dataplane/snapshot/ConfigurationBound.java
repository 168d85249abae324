package io.sigma.dataplane.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.CanonicalJson;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.Re2;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the size of a gateway's configuration: an editor could otherwise take the memory that traffic needs. The size
 * is that of its JSON, of the compiled regular expressions and of the nodes, in bytes. Measuring visits only what
 * changed since the last measured state. Confined to the thread that takes snapshots.
 */
final class ConfigurationBound {

    /** The part of the heap for the configuration, as a divisor: one eighth. */
    private static final int HEAP_PART = 8;
    /** The approximate size of an instruction of a compiled expression, in bytes. */
    private static final int INSTRUCTION_BYTES = 64;
    /** What a node takes at least beside its JSON, for its state and its pools, in bytes. */
    static final int NODE_BYTES = 1024;

    /** Fields that hold expressions. A path is one after a tilde. */
    private static final Set<String> EXPRESSIONS = Set.of("regex", "regexp");

    private static final long MIB = 1 << 20;

    private record Measured(ConfigState state, long bytes) {}

    private final long bytesMax;
    private Measured served = new Measured(ConfigState.empty(), 0);

    ConfigurationBound(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Returns the bound for this process. */
    static ConfigurationBound ofProcess() {
        return new ConfigurationBound(Runtime.getRuntime().maxMemory() / HEAP_PART);
    }

    /**
     * Checks the size of {@code next}. What is no larger than {@code before} passes: it may be on the way to less.
     *
     * @param before what is served
     * @throws SnapshotRefused when it is larger than the bound
     */
    void check(ConfigState next, ConfigState before) {
        served = measure(before, served);
        Measured proposed = measure(next, served);
        if (proposed.bytes > bytesMax && proposed.bytes > served.bytes) {
            throw new SnapshotRefused(
                    "",
                    "%s MiB of configuration, with its nodes and compiled regular expressions (expected: at most %s MiB,"
                                    .formatted(mib(proposed.bytes), mib(bytesMax))
                            + " an eighth of the heap of this gateway)");
        }
    }

    private static String mib(long bytes) {
        return bytes < 10 * MIB
                ? String.format(Locale.ROOT, "%.3f", (double) bytes / MIB)
                : String.valueOf(bytes / MIB);
    }

    private static Measured measure(ConfigState state, Measured known) {
        long[] bytes = {known.bytes};
        for (ResourceType<?> type : ResourceType.ALL) {
            state.forEachChange(known.state, type, (id, before, after) -> bytes[0] += bytes(after) - bytes(before));
        }
        return new Measured(state, bytes[0]);
    }

    private static long bytes(@Nullable Object resource) {
        if (resource == null) {
            return 0;
        }
        byte[] json = CanonicalJson.bytes(resource);
        return json.length + INSTRUCTION_BYTES * instructions(CanonicalJson.tree(json)) + NODE_BYTES * nodes(resource);
    }

    private static long nodes(Object resource) {
        return resource instanceof Upstream upstream ? upstream.nodes().size() : 0;
    }

    /** Returns what expressions come to when their counted repetitions are written out, in instructions. */
    private static long instructions(JsonNode value) {
        long sum = 0;
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            JsonNode inner = field.getValue();
            if (!inner.isTextual()) {
                sum += instructions(inner);
            } else if (EXPRESSIONS.contains(field.getKey()) || inner.textValue().startsWith("~")) {
                sum += Re2.size(inner.textValue());
            }
        }
        if (value.isArray()) {
            for (JsonNode inner : value) {
                sum += instructions(inner);
            }
        }
        return sum;
    }
}
