package io.sigma.controlplane.api.contract;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests of the contract, which each class loads once. */
abstract class LoadedContract {

    private static Vertx vertx;
    static Contract contract;

    @BeforeAll
    static void load() throws Exception {
        vertx = Vertx.vertx();
        contract = Contract.load(vertx).await(30, TimeUnit.SECONDS);
    }

    @AfterAll
    static void close() throws Exception {
        vertx.close().await(30, TimeUnit.SECONDS);
    }
}
