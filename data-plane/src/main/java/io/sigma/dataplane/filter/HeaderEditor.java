package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.model.HeaderEdits;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Removes, renames, sets and adds fields, in this order. Immutable. */
public final class HeaderEditor {

    private final List<String> remove;
    private final List<Map.Entry<String, String>> rename;
    private final List<FieldLine> set;
    private final List<FieldLine> add;

    /**
     * @param edits null for none
     */
    public HeaderEditor(@Nullable HeaderEdits edits) {
        this.remove = edits == null ? List.of() : List.copyOf(edits.remove());
        this.rename = edits == null ? List.of() : List.copyOf(edits.rename().entrySet());
        this.set = edits == null ? List.of() : lines(edits.set());
        this.add = edits == null ? List.of() : lines(edits.add());
    }

    private static List<FieldLine> lines(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> new FieldLine(field.getKey(), field.getValue()))
                .toList();
    }

    /** Changes {@code fields}. */
    public void apply(Fields fields) {
        for (int i = 0; i < remove.size(); i++) {
            fields.remove(remove.get(i));
        }
        for (int i = 0; i < rename.size(); i++) {
            rename(fields, rename.get(i).getKey(), rename.get(i).getValue());
        }
        for (int i = 0; i < set.size(); i++) {
            fields.remove(set.get(i).name());
            fields.add(set.get(i));
        }
        for (int i = 0; i < add.size(); i++) {
            fields.add(add.get(i));
        }
    }

    private static void rename(Fields fields, String old, String name) {
        List<String> values = fields.all(old);
        if (!values.isEmpty()) {
            values = List.copyOf(values);
            fields.remove(old);
            values.forEach(value -> fields.add(name, value));
        }
    }
}
