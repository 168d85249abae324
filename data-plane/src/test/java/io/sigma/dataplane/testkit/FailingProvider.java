package io.sigma.dataplane.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.Phase;
import io.sigma.dataplane.filter.Replies;
import io.sigma.dataplane.filter.spi.PluginProvider;

/** A plugin whose code fails in the way that its configuration names, or not at all. */
public final class FailingProvider implements PluginProvider {

    @Override
    public String name() {
        return "failing";
    }

    @Override
    public Phase phase() {
        return Phase.TRANSFORMATION;
    }

    @Override
    public Filter filter(JsonNode configuration, FilterServices services) {
        return switch (configuration.path("how").asText()) {
            case "exception" -> throw new IllegalStateException("made to fail");
            case "linkage" -> throw new NoClassDefFoundError("io/sigma/NoSuchClass");
            case "stack" -> throw new StackOverflowError();
            case "error" -> throw new AssertionError("made to fail");
            case "request" ->
                new Filter() {
                    @Override
                    public Verdict onRequest(Exchange exchange, Replies replies) {
                        throw new StackOverflowError();
                    }
                };
            case "close" ->
                new Filter() {
                    @Override
                    public void close() {
                        throw new StackOverflowError();
                    }
                };
            default -> new Filter() {};
        };
    }
}
