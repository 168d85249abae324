package io.sigma.dataplane.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.Phase;
import io.sigma.dataplane.filter.spi.InvalidExtension;
import io.sigma.dataplane.filter.spi.PluginProvider;
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
    public Filter filter(JsonNode configuration, FilterServices services) {
        JsonNode value = configuration.path("value");
        if (!value.isTextual()) {
            throw new InvalidExtension("/value", value + " (expected: a text)");
        }
        AtomicInteger count = new AtomicInteger();
        return new Filter() {
            @Override
            public void onResponse(Exchange exchange, ResponseHead head) {
                if (value.asText().isEmpty()) {
                    throw new IllegalStateException("no tag");
                }
                head.fields().set("x-tag", value.asText() + " " + count.incrementAndGet());
            }
        };
    }
}
