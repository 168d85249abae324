package io.sigma.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole product under {@code kill -9}: one part at a time dies under load, and comes back. */
class SurvivalTest {

    @TempDir
    Path folder;

    @Test
    void nothingAcknowledgedIsLostAndTrafficGoesOnWhateverDies() throws Exception {
        int port = Ports.free();
        try (Nodes node = Nodes.start("node", folder);
                Plant plant = Plant.start(folder)) {
            configure(plant, port, node.port());
            for (Plant.Gateway gateway : plant.gateways) {
                assertThat(Http.get(gateway.url(port, "/hello?a=1")).body()).startsWith("node /hello?a=1 ");
            }
            List<Traffic> traffic = plant.gateways.stream()
                    .map(g -> Traffic.start(g.url(port, "/")))
                    .toList();
            Writer writer =
                    Writer.start(plant.controlPlanes.stream().map(c -> c.admin).toList());
            try (writer) {
                killAControlPlane(plant, writer);
                killTheDatabase(plant, writer);
                killAGateway(plant, writer, traffic, port);
                writer.awaitMore(5);
            }
            traffic.forEach(Traffic::close);
            plant.awaitConverged();

            assertThat(traffic.get(1).failures())
                    .as("failures of the gateway that was not killed")
                    .isEmpty();
            assertThat(traffic.get(1).answers()).isPositive();
            everythingAcknowledgedIsThere(plant, writer);
        }
    }

    private static void configure(Plant plant, int port, int nodePort) {
        Admin admin = plant.controlPlanes.getFirst().admin;
        admin.put("/upstreams/node", "{\"nodes\":[{\"url\":\"http://127.0.0.1:" + nodePort + "\"}]}");
        admin.put("/proxy-passes/to-node", "{\"upstreamId\":\"node\"}");
        admin.put("/proxy-servers/web", "{\"port\":" + port + "}");
        admin.put("/routers/all", "{\"proxyServerId\":\"web\"}");
        JsonNode last = admin.put(
                "/routes/everything?wait=all&timeout=20s",
                "{\"routerId\":\"all\",\"path\":\"/*\",\"proxyPassId\":\"to-node\"}");
        assertThat(last.at("/revision/complete").asBoolean())
                .as(last.toString())
                .isTrue();
        assertThat(last.at("/revision/gateways").findValuesAsText("answer")).containsExactly("ACK", "ACK");
    }

    private static void killAControlPlane(Plant plant, Writer writer) {
        Plant.ControlPlane victim = plant.controlPlanes.getFirst();
        victim.process.kill();
        writer.awaitMore(20);
        victim.restart();
        plant.awaitConverged();
    }

    private static void killTheDatabase(Plant plant, Writer writer) {
        plant.killDatabase();
        writer.awaitMore(20);
    }

    private static void killAGateway(Plant plant, Writer writer, List<Traffic> traffic, int port) {
        Plant.Gateway victim = plant.gateways.getFirst();
        traffic.getFirst().close();
        victim.process.kill();
        writer.awaitMore(20);
        victim.restart();
        Await.until("the killed gateway serves again", () -> Http.isOk(victim.url(port, "/again")));
        assertThat(traffic.getFirst().failures())
                .as("failures before it was killed")
                .isEmpty();
    }

    private static void everythingAcknowledgedIsThere(Plant plant, Writer writer) {
        for (Plant.ControlPlane controlPlane : plant.controlPlanes) {
            Admin admin = controlPlane.admin;
            long newest = admin.revision();
            LongStream.rangeClosed(1, newest).forEach(number -> admin.get("/revisions/" + number));
            assertThat(writer.lost(admin))
                    .as("acknowledged writes that %s lacks", controlPlane.process)
                    .isEmpty();
        }
    }
}
