package io.sigma.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.controlplane.ControlPlane;
import io.sigma.json.Json;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something to look at: an upstream that answers, and on an empty store a configuration that leads to it. */
final class Demo {

    private static final Logger log = LoggerFactory.getLogger(Demo.class);
    private static final String HOST = "127.0.0.1";
    private static final int PORT_TRIED_FIRST = 8888;
    private static final int WAIT_SECONDS = 10;

    private Demo() {}

    static void start(Vertx vertx, ControlPlane controlPlane, Path dataDir, int gatewayPort)
            throws IOException, TimeoutException {
        Path portFile = dataDir.resolve("demo-upstream-port");
        boolean empty = controlPlane.revisionLog().current().revision() == 0;
        // An earlier configuration of the demo names this port.
        int wanted = Files.exists(portFile) ? port(Files.readString(portFile).strip()) : PORT_TRIED_FIRST;
        DemoUpstream upstream;
        try {
            upstream = listen(vertx, wanted);
        } catch (IOException taken) {
            if (!empty) {
                log.warn("the demo upstream does not run: {}", taken.getMessage());
                return;
            }
            upstream = listen(vertx, 0);
        }
        if (empty) {
            Files.writeString(portFile, upstream.port() + "\n");
            controlPlane
                    .importSigmaJson(configuration(gatewayPort, upstream.port()), "demo")
                    .await(WAIT_SECONDS, TimeUnit.SECONDS);
            log.info("loaded the demo configuration: proxy server, router, route, proxy pass and upstream \"demo\"");
        }
    }

    /** Returns the port that was noted; the disk may have been full then. */
    private static int port(String noted) {
        try {
            return Integer.parseInt(noted);
        } catch (NumberFormatException e) {
            return PORT_TRIED_FIRST;
        }
    }

    private static DemoUpstream listen(Vertx vertx, int port) throws IOException, TimeoutException {
        try {
            return DemoUpstream.start(vertx, HOST, port).await(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (RuntimeException e) {
            throw new IOException("port %d cannot be listened on: %s".formatted(port, e.getMessage()), e);
        }
    }

    private static JsonNode configuration(int gatewayPort, int upstreamPort) throws IOException {
        try (InputStream in = Demo.class.getResourceAsStream("demo.json")) {
            JsonNode root = Json.mapper().readTree(Objects.requireNonNull(in, "demo.json"));
            ((ArrayNode) root.at("/upstream/0/nodes")).add("http://%s:%d".formatted(HOST, upstreamPort));
            ((ObjectNode) root.at("/proxy-server/http")).put("port", gatewayPort);
            return root;
        }
    }
}
