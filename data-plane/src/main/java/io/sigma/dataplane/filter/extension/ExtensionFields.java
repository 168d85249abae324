package io.sigma.dataplane.filter.extension;

import io.sigma.dataplane.exchange.Fields;
import io.sigma.plugin.PluginFields;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The fields of a message, as a plugin sees them. */
record ExtensionFields(Fields fields) implements PluginFields {

    @Override
    public @Nullable String get(String name) {
        return fields.get(name);
    }

    @Override
    public List<String> all(String name) {
        return fields.all(name);
    }

    @Override
    public boolean contains(String name) {
        return fields.contains(name);
    }

    @Override
    public void set(String name, String value) {
        fields.set(name, value);
    }

    @Override
    public void add(String name, String value) {
        fields.add(name, value);
    }

    @Override
    public void remove(String name) {
        fields.remove(name);
    }

    @Override
    public void forEach(BiConsumer<String, String> action) {
        fields.forEach(action);
    }
}
