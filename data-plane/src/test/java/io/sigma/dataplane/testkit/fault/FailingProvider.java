package io.sigma.dataplane.testkit.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.plugin.Phase;
import io.sigma.plugin.PluginFilter;
import io.sigma.plugin.PluginProvider;
import io.sigma.plugin.PluginReplies;
import io.sigma.plugin.PluginRequest;
import io.sigma.plugin.PluginServices;

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
    public PluginFilter filter(JsonNode configuration, PluginServices services) {
        return switch (configuration.path("how").asText()) {
            case "exception" -> throw new IllegalStateException("made to fail");
            case "linkage" -> throw new NoClassDefFoundError("io/sigma/NoSuchClass");
            case "stack" -> throw new StackOverflowError();
            case "error" -> throw new AssertionError("made to fail");
            case "request" ->
                new PluginFilter() {
                    @Override
                    public Verdict onRequest(PluginRequest request, PluginReplies replies) {
                        throw new StackOverflowError();
                    }
                };
            case "close" ->
                new PluginFilter() {
                    @Override
                    public void close() {
                        throw new StackOverflowError();
                    }
                };
            default -> new PluginFilter() {};
        };
    }
}
