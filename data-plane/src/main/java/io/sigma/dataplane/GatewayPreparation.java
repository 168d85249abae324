package io.sigma.dataplane;

import io.sigma.dataplane.listener.Listeners;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.Preparation;
import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.dataplane.snapshot.TargetCheck;
import io.sigma.value.AddressGuard;
import io.vertx.core.Future;
import java.util.function.Function;

/** Opens listeners and discovers nodes before a snapshot is served. To be used by one snapshot at a time. */
final class GatewayPreparation implements Preparation {

    private final WatchedUpstreams upstreams;
    private final Listeners listeners;
    private final ActiveSnapshot active;
    private final AddressGuard addresses;
    private final GatewayWarmUp warmUp;

    /**
     * @param addresses where nothing may be connected to
     * @param warmUp ends before the first listener opens
     */
    GatewayPreparation(
            WatchedUpstreams upstreams,
            Listeners listeners,
            ActiveSnapshot active,
            AddressGuard addresses,
            GatewayWarmUp warmUp) {
        this.warmUp = warmUp;
        this.upstreams = upstreams;
        this.listeners = listeners;
        this.active = active;
        this.addresses = addresses;
    }

    @Override
    public Future<Prepared> prepare(RuntimeSnapshot next) {
        return prepare(next, listeners::prepare);
    }

    @Override
    public Future<Prepared> prepareInPart(RuntimeSnapshot next) {
        return prepare(next, listeners::prepareInPart);
    }

    private Future<Prepared> prepare(
            RuntimeSnapshot next, Function<RuntimeSnapshot, Future<Listeners.Prepared>> opened) {
        // Composed, so that what is thrown on the way ends the discoveries that have begun as well.
        return Future.<Void>succeededFuture()
                .compose(begun -> {
                    warmUp.before(next.source().state());
                    upstreams.prepare(next);
                    return opened.apply(next);
                })
                .<Prepared>map(prepared -> new Prepared() {
                    @Override
                    public void keep() {
                        prepared.keep();
                        upstreams.keep(next);
                    }

                    @Override
                    public void undo() {
                        // Its discoveries end with the next preparation, which may have begun.
                        prepared.undo();
                    }
                })
                .onFailure(refused -> upstreams.discard());
    }

    @Override
    public void judge(RuntimeSnapshot next) {
        TargetCheck.check(next.source().state(), active.current().source().state(), addresses);
    }

    @Override
    public void check(RuntimeSnapshot next, boolean unnamed) {
        upstreams.check(next, unnamed);
        listeners.check(next);
    }
}
