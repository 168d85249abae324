package io.sigma.controlplane;

import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RefusedRollBackTest {

    private static final class EmptyLog implements RevisionLog {

        @Override
        public Snapshot current() {
            return Snapshot.NONE;
        }

        @Override
        public void onAdvance(Consumer<Snapshot> listener) {
            // Nothing is committed here.
        }

        @Override
        public @Nullable List<EntityChange> changesSince(long revision, StateHash hash, long toRevision) {
            return null;
        }
    }

    /** Gateways do not say a second time that they refuse a revision, and writes wait until it is rolled back. */
    @Test
    @SuppressWarnings({"unchecked", "NullAway", "try"}) // Nothing comes so far as to be written.
    void whatFailsIsTriedAgain() {
        AtomicInteger looks = new AtomicInteger();
        AtomicReference<Consumer<Gateway>> listener = new AtomicReference<>();
        Fleet fleet = (Fleet) Proxy.newProxyInstance(
                Fleet.class.getClassLoader(), new Class<?>[] {Fleet.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("onChange")) {
                        listener.set((Consumer<Gateway>) arguments[0]);
                        return null;
                    }
                    if (looks.incrementAndGet() == 1) {
                        throw new StackOverflowError("on purpose");
                    }
                    return Optional.empty();
                });
        try (RefusedRollBack rollBack = RefusedRollBack.start(null, new EmptyLog(), fleet)) {
            listener.get()
                    .accept(Gateway.builder()
                            .id("edge")
                            .host("host")
                            .version("1")
                            .revision(1L)
                            .lag(1L)
                            .state(GatewayState.REFUSED)
                            .lastSeen(Instant.EPOCH)
                            .startedAt(Instant.EPOCH)
                            .controlPlane("one")
                            .stateHash("h")
                            .build());
            Eventually.holds("it is looked again", Duration.ofSeconds(20), () -> looks.get() == 2);
        }
    }
}
