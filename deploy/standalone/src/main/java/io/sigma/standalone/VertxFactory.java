package io.sigma.standalone;

import io.sigma.dataplane.engine.accept.RefusingTransport;
import io.sigma.dataplane.engine.uring.TunedIoUring;
import io.sigma.dataplane.loop.DirectMemory;
import io.sigma.dataplane.settings.GatewaySettings;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.transport.Transport;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the one Vert.x of a process. */
public final class VertxFactory {

    private static final Logger log = LoggerFactory.getLogger(VertxFactory.class);

    private VertxFactory() {}

    /** Returns a Vert.x for a process that carries no traffic. */
    public static Vertx forControlPlane() {
        return Vertx.builder()
                .withTransport(RefusingTransport.of(Transport.NIO))
                .build();
    }

    /**
     * Returns a Vert.x for a gateway: the wanted number of event loops and one more, so that control and telemetry have
     * one that carries no traffic.
     *
     * @param options Vert.x options that win over the settings, as {@link VertxOptions#VertxOptions(JsonObject)} reads
     *     them
     * @throws IllegalArgumentException when the wanted transport does not work on this machine, or an option is invalid
     */
    public static Vertx forGateway(GatewaySettings settings, @Nullable JsonObject options) {
        DirectMemory.refuseEarly();
        JsonObject given = options == null ? new JsonObject() : options;
        VertxOptions vertxOptions = read(given);
        if (!given.containsKey("eventLoopPoolSize")) {
            vertxOptions.setEventLoopPoolSize(settings.engine().loops() + 1);
        }
        boolean nio = Boolean.FALSE.equals(given.getValue("preferNativeTransport"));
        Transport transport = transport(
                nio ? GatewaySettings.Transport.NIO : settings.engine().transport());
        log.info("sockets are driven by {}", transport.name());
        return Vertx.builder()
                .with(vertxOptions)
                .withTransport(RefusingTransport.of(transport))
                .build();
    }

    private static VertxOptions read(JsonObject options) {
        try {
            return new VertxOptions(options);
        } catch (ClassCastException e) {
            throw new IllegalArgumentException("a Vert.x option has a value of the wrong type: " + e.getMessage(), e);
        }
    }

    private static Transport transport(GatewaySettings.Transport wanted) {
        return switch (wanted) {
            case AUTO ->
                Stream.of(TunedIoUring.ifAvailable(), Transport.EPOLL)
                        .filter(Objects::nonNull)
                        .filter(Transport::available)
                        .findFirst()
                        .orElse(Transport.NIO);
            case IO_URING -> {
                Transport tuned = TunedIoUring.ifAvailable();
                yield tuned != null ? tuned : available(Transport.IO_URING, wanted);
            }
            case EPOLL -> available(Transport.EPOLL, wanted);
            case NIO -> Transport.NIO;
        };
    }

    private static Transport available(@Nullable Transport transport, GatewaySettings.Transport wanted) {
        if (transport != null && transport.available()) {
            return transport;
        }
        throw new IllegalArgumentException(
                "transport: \"%s\" (expected: a transport that works on this machine; reason: %s)"
                        .formatted(
                                wanted.name().toLowerCase(Locale.ROOT),
                                transport == null ? "not on the class path" : transport.unavailabilityCause()));
    }
}
