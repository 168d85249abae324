package io.sigma.example;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.Phase;
import io.sigma.dataplane.filter.Replies;
import io.sigma.dataplane.filter.spi.InvalidExtension;
import io.sigma.dataplane.filter.spi.PluginProvider;
import io.sigma.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers 503 while a service is looked after, except to those who do that. */
public final class MaintenancePlugin implements PluginProvider {

    private static final int RETRY_SECONDS_DEFAULT = 60;
    private static final int RETRY_SECONDS_MAX = 86_400;

    /** The configuration; whatever else is in it is refused. */
    record Settings(
            @Nullable Integer retryAfterSeconds, @Nullable String passHeader) {}

    @Override
    public String name() {
        return "maintenance";
    }

    @Override
    public Phase phase() {
        return Phase.STAND_IN;
    }

    @Override
    public Filter filter(JsonNode configuration, FilterServices services) {
        Settings settings = Json.read(configuration, Settings.class);
        int seconds = settings.retryAfterSeconds == null ? RETRY_SECONDS_DEFAULT : settings.retryAfterSeconds;
        if (seconds < 1 || seconds > RETRY_SECONDS_MAX) {
            throw new InvalidExtension("/retryAfterSeconds", seconds + " (expected: 1.." + RETRY_SECONDS_MAX + ")");
        }
        return new MaintenanceFilter(settings.passHeader, Map.of("retry-after", String.valueOf(seconds)));
    }

    private record MaintenanceFilter(@Nullable String passHeader, Map<String, String> fields) implements Filter {

        @Override
        public Verdict onRequest(Exchange exchange, Replies replies) {
            if (passHeader != null && exchange.request().fields().contains(passHeader)) {
                return Verdict.CONTINUE;
            }
            replies.fail(ErrorKind.NOT_READY, fields);
            return Verdict.TAKEN;
        }
    }
}
