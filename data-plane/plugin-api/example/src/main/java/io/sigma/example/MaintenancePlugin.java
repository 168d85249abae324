package io.sigma.example;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.plugin.InvalidExtension;
import io.sigma.plugin.Phase;
import io.sigma.plugin.PluginFilter;
import io.sigma.plugin.PluginProvider;
import io.sigma.plugin.PluginReplies;
import io.sigma.plugin.PluginRequest;
import io.sigma.plugin.PluginServices;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers 503 while a service is looked after, except to those who do that. */
public final class MaintenancePlugin implements PluginProvider {

    private static final int RETRY_SECONDS_DEFAULT = 60;
    private static final int RETRY_SECONDS_MAX = 86_400;

    /** The configuration; whatever else is in it is refused. */
    record Settings(int retryAfterSeconds, @Nullable String passHeader) {

        static Settings of(JsonNode configuration) {
            int seconds = RETRY_SECONDS_DEFAULT;
            String header = null;
            for (Map.Entry<String, JsonNode> property : configuration.properties()) {
                JsonNode value = property.getValue();
                String pointer = "/" + property.getKey();
                switch (property.getKey()) {
                    case "retryAfterSeconds" -> seconds = seconds(pointer, value);
                    case "passHeader" -> header = header(pointer, value);
                    default ->
                        throw new InvalidExtension(
                                pointer, property.getKey() + " (expected: retryAfterSeconds or passHeader)");
                }
            }
            return new Settings(seconds, header);
        }

        private static int seconds(String pointer, JsonNode value) {
            if (!value.isInt() || value.intValue() < 1 || value.intValue() > RETRY_SECONDS_MAX) {
                throw new InvalidExtension(pointer, value + " (expected: 1.." + RETRY_SECONDS_MAX + ")");
            }
            return value.intValue();
        }

        private static String header(String pointer, JsonNode value) {
            if (!value.isTextual()) {
                throw new InvalidExtension(pointer, value + " (expected: the name of a header)");
            }
            return value.textValue();
        }
    }

    @Override
    public String name() {
        return "maintenance";
    }

    @Override
    public Phase phase() {
        return Phase.STAND_IN;
    }

    @Override
    public PluginFilter filter(JsonNode configuration, PluginServices services) {
        Settings settings = Settings.of(configuration);
        return new MaintenanceFilter(
                settings.passHeader, Map.of("retry-after", String.valueOf(settings.retryAfterSeconds)));
    }

    private record MaintenanceFilter(@Nullable String passHeader, Map<String, String> fields) implements PluginFilter {

        @Override
        public Verdict onRequest(PluginRequest request, PluginReplies replies) {
            if (passHeader != null && request.fields().contains(passHeader)) {
                return Verdict.CONTINUE;
            }
            replies.refuse(PluginReplies.Refusal.NOT_READY, fields);
            return Verdict.TAKEN;
        }
    }
}
