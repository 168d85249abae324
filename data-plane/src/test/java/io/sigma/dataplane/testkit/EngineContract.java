package io.sigma.dataplane.testkit;

import io.sigma.dataplane.settings.GatewaySettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway for every test, whatever engine it runs on: the tests below say what every engine does, so another engine
 * is tested by other {@link #settings(Path)}.
 */
public abstract class EngineContract {

    @TempDir
    protected Path folder;

    private GatewayHarness gateway;
    private int port;

    @BeforeEach
    void startGateway() {
        port = Config.freePort();
        gateway = GatewayHarness.start(settings(folder.resolve("data")));
    }

    @AfterEach
    void stopGateway() {
        gateway.close();
    }

    /** Returns the settings that choose the engine. */
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(2).build();
    }

    protected GatewayHarness gateway() {
        return gateway;
    }

    /** Returns the port of the proxy server. */
    protected int port() {
        return port;
    }

    /** Sends everything to {@code nodes}. */
    protected Config forwarding(String... nodes) {
        return Config.forwarding(port, nodes);
    }

    protected RawClient.Answer get(String target) throws Exception {
        return RawClient.get(port, "shop.example.com", target);
    }

    protected RawClient.Answer exchange(String request) throws Exception {
        return RawClient.exchange(port, request);
    }
}
