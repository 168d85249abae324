package io.sigma.dataplane.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.plugin.InvalidExtension;
import io.sigma.plugin.Phase;
import io.sigma.plugin.PluginFilter;
import io.sigma.plugin.PluginProvider;
import io.sigma.plugin.PluginRequest;
import io.sigma.plugin.PluginResponse;
import io.sigma.plugin.PluginServices;
import java.util.concurrent.atomic.AtomicInteger;

/** Puts a tag and a number on each response; one that is empty makes it fail. */
public final class TagProvider implements PluginProvider {

    @Override
    public String name() {
        return "tag";
    }

    @Override
    public Phase phase() {
        return Phase.TRANSFORMATION;
    }

    @Override
    public PluginFilter filter(JsonNode configuration, PluginServices services) {
        JsonNode value = configuration.path("value");
        if (!value.isTextual()) {
            throw new InvalidExtension("/value", value + " (expected: a text)");
        }
        AtomicInteger count = new AtomicInteger();
        return new PluginFilter() {
            @Override
            public void onResponse(PluginRequest request, PluginResponse response) {
                if (value.asText().isEmpty()) {
                    throw new IllegalStateException("no tag");
                }
                response.fields().set("x-tag", value.asText() + " " + count.incrementAndGet());
            }
        };
    }
}
