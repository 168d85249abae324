package io.sigma.controlplane.store.database;

import io.sigma.controlplane.testing.Eventually;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PrimaryTest {

    /** Else a standby would be read from after the next fail-over. */
    @Test
    void itIsLookedAgainWhateverIsThrown() throws Exception {
        Vertx vertx = Vertx.vertx();
        AtomicInteger looks = new AtomicInteger();
        Pool pool = (Pool) Proxy.newProxyInstance(
                Pool.class.getClassLoader(), new Class<?>[] {Pool.class}, (proxy, method, arguments) -> {
                    looks.incrementAndGet();
                    throw new StackOverflowError("on purpose");
                });
        Primary primary = new Primary(vertx, List.of(new PgConnectOptions()), 1_000);
        primary.watch(pool);
        Eventually.holds("it is looked again", Duration.ofSeconds(20), () -> looks.get() >= 2);
        primary.close();
        vertx.close().await(30, TimeUnit.SECONDS);
    }
}
