package io.sigma.dataplane.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sigma.dataplane.engine.vertx.VertxEngine;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.upstream.SocketBudget;
import io.sigma.value.AddressGuard;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ShortSlicesTest {

    private static final OptionalLong SHORT = OptionalLong.of(100_000);

    @BeforeAll
    static void kernelHasSlices() {
        String[] version = System.getProperty("os.version").split("\\D+", 3);
        int number = Integer.parseInt(version[0]) * 1000 + Integer.parseInt(version[1]);
        assumeTrue(
                System.getProperty("os.name").equals("Linux") && number >= 6_012,
                "threads have had slices of their own since Linux 6.12");
    }

    @Test
    void threadThatAsksHasThemAndOthersDoNot() throws Exception {
        OptionalLong before = ShortSlices.current();
        CompletableFuture<OptionalLong> asked = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            assertThat(ShortSlices.ask()).isTrue();
            asked.complete(ShortSlices.current());
        });
        assertThat(asked.get(10, TimeUnit.SECONDS)).isEqualTo(SHORT);
        assertThat(ShortSlices.current()).isEqualTo(before).isNotEqualTo(SHORT);
    }

    @Test
    void eachEventLoopHasThem() throws Exception {
        Vertx vertx = Vertx.vertx();
        VertxEngine engine = new VertxEngine(
                vertx,
                2,
                true,
                GatewaySettings.Tls.AUTO,
                id -> null,
                new AddressGuard(List.of()),
                SocketBudget.ofProcess());
        try {
            for (Loop loop : engine.eventLoops()) {
                CompletableFuture<OptionalLong> slice = new CompletableFuture<>();
                loop.scheduler().execute(() -> slice.complete(ShortSlices.current()));
                assertThat(slice.get(10, TimeUnit.SECONDS)).isEqualTo(SHORT);
            }
        } finally {
            engine.close();
            vertx.close().await(10, TimeUnit.SECONDS);
        }
    }
}
