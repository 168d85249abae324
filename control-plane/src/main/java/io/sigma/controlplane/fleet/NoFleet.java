package io.sigma.controlplane.fleet;

import io.sigma.model.Gateway;
import io.sigma.model.GatewayAnswer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The fleet of an installation without gateways. Tests add to it what they need of a fleet. */
public class NoFleet implements Fleet {

    @Override
    public Future<List<GatewayAnswer>> answers(long revision, Extent extent, Duration timeout) {
        return Future.succeededFuture(List.of());
    }

    @Override
    public List<Gateway> gateways() {
        return List.of();
    }

    @Override
    public Optional<Gateway> gateway(String id) {
        return Optional.empty();
    }

    @Override
    public void onChange(Consumer<Gateway> listener) {
        // Nothing ever changes.
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
