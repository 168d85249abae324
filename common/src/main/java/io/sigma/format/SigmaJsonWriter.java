package io.sigma.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.check.Faults;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writes a configuration in the sigma.json file format, as far as that can say it. What has been written is read again
 * and compared, so whatever the format cannot say is told, field by field. Takes a while for a large state: keep it off
 * event loops.
 */
public final class SigmaJsonWriter {

    private static final int SHOWN_MAX = 80;

    /** So many warnings are told; how many more there are is the last one. */
    private static final int WARNINGS_MAX = 1000;

    /**
     * A file.
     *
     * @param file the file, as {@link SigmaJsonReader} reads it
     * @param warnings what the file does not say, with pointers into the whole state such as
     *     {@code /routes/shop/priority}
     */
    public record Written(ObjectNode file, List<FieldError> warnings) {
        public Written {
            warnings = List.copyOf(warnings);
        }
    }

    private SigmaJsonWriter() {}

    /** Returns the file, ordered by id. */
    public static Written write(ConfigState state) {
        ObjectNode file = Json.mapper().createObjectNode();
        ListenerPair listeners = ListenerPair.of(state);
        file.set("proxy-server", listeners.section());
        NodesWriter nodes = new NodesWriter(state);
        file.set("proxy-client", nodes.client());
        file.set("router", RouterWriter.section(state, listeners, nodes));
        file.set("proxy-pass", nodes.passes());
        file.set("upstream", nodes.upstreams());
        file.set("plugins", listeners.process());
        List<FieldError> losses = new ArrayList<>();
        ConfigState said = SigmaJsonReader.read(file).state();
        ResourceType.ALL.forEach(type -> compare(type, state, said, losses));
        if (losses.size() > WARNINGS_MAX) {
            int more = losses.size() - WARNINGS_MAX;
            losses.subList(WARNINGS_MAX, losses.size()).clear();
            losses.add(Faults.lost("", "and " + more + " more"));
        }
        return new Written(file, losses);
    }

    static <T> List<T> sorted(ConfigState state, ResourceType<T> type) {
        return List.copyOf(new TreeMap<>(state.of(type)).values());
    }

    private static <T> void compare(
            ResourceType<T> type, ConfigState meant, ConfigState said, List<FieldError> losses) {
        Map<String, T> read = said.of(type);
        for (T resource : sorted(meant, type)) {
            String pointer = JsonPointer.of(type.field(), type.id(resource));
            T other = read.get(type.id(resource));
            if (other == null) {
                losses.add(Faults.lost(pointer, "left out: the format cannot say this " + type.label()));
            } else if (!resource.equals(other)) {
                compare(pointer, Json.tree(resource), Json.tree(other), losses);
            }
        }
    }

    private static void compare(String pointer, JsonNode meant, JsonNode said, List<FieldError> losses) {
        if (meant.equals(said)) {
            return;
        }
        boolean items = meant.isArray() && said.isArray() && meant.size() == said.size();
        if (items) {
            for (int i = 0; i < meant.size(); i++) {
                compare(pointer + "/" + i, meant.get(i), said.get(i), losses);
            }
            return;
        }
        if (meant.isObject() && said.isObject()) {
            Set<String> names = new TreeSet<>();
            meant.fieldNames().forEachRemaining(names::add);
            said.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> compare(pointer + JsonPointer.of(name), meant.path(name), said.path(name), losses));
            return;
        }
        String is = meant.isMissingNode() ? "absent" : shown(meant);
        String becomes = said.isMissingNode() ? "left out" : "read as " + shown(said);
        losses.add(Faults.lost(pointer, is + " is " + becomes + ": the format cannot say it"));
    }

    private static String shown(JsonNode value) {
        String text = Json.text(value);
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "…";
    }
}
