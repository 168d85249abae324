package io.sigma.controlplane.api.operation.imports;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient.Reply;
import org.junit.jupiter.api.Test;

/** Imports are listed and removed as a whole, and nothing else counts as a part of them. */
final class OpenApiRemovalTest extends OpenApiImportContract {

    @Test
    void anImportIsListedAndRemovedAsAWhole() {
        assertThat(client.get("/import/openapi").json().path("items")).isEmpty();
        send("", PETS, "{'proxyServerId':'web'}");
        client.patch("/routes/pet-store.listPets", "{\"plugins\":{\"cors\":{}}}");
        client.put("/upstreams/other", "{\"nodes\":[{\"url\":\"http://10.0.0.1\"}]}");
        assertThat(client.get("/import/openapi").json().path("items").toString())
                .isEqualTo("[{\"id\":\"pet-store\",\"name\":\"Pet Store\",\"resources\":7,\"routes\":4}]");
        client.put("/routes/own", "{\"routerId\":\"pet-store\",\"path\":\"/own\",\"proxyPassId\":\"pet-store\"}");
        Reply referred = client.delete("/import/openapi/pet-store");
        assertThat(referred.status()).as("%s", referred).isEqualTo(409);
        assertThat(referred.json().at("/referrers/0/id").asText()).isEqualTo("own");
        client.delete("/routes/own");
        Reply preview = client.delete("/import/openapi/pet-store?dryRun=true");
        assertThat(changes(preview)).hasSize(7);
        assertThat(client.get("/routes").json().path("items")).hasSize(4);
        assertThat(client.delete("/import/openapi/pet-store", "If-Match", "\"0\"")
                        .status())
                .isEqualTo(412);
        Reply done = client.delete("/import/openapi/pet-store", "If-Match", preview.header("ETag"));
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(done.json().path("deleted").asInt()).isEqualTo(7);
        assertThat(client.get("/routes").json().path("items")).isEmpty();
        assertThat(client.get("/upstreams").json().path("items")).hasSize(1);
        assertThat(client.get("/proxy-servers/web").status()).isEqualTo(200);
        assertThat(client.delete("/import/openapi/pet-store").status()).isEqualTo(404);
    }

    @Test
    void labelOfAnImportOnAnotherResourceIsRefused() {
        send("", PETS, "{'proxyServerId':'web'}");
        String labels = "\"labels\":{\"openapi.import\":\"pet-store\"}";
        String upstream = "{\"nodes\":[{\"url\":\"http://10.0.0.1\"}]," + labels + "}";
        Reply refused = client.put("/upstreams/mine", upstream);
        assertThat(refused.status()).as("%s", refused).isEqualTo(422);
        assertThat(refused.pointers()).isEqualTo("/labels/openapi.import");
        client.put("/upstreams/mine", "{\"nodes\":[{\"url\":\"http://10.0.0.1\"}]}");
        assertThat(client.patch("/upstreams/mine", "{" + labels + "}").pointers())
                .isEqualTo("/labels/openapi.import");
        Reply batch = client.post(
                "/batch",
                "{\"operations\":[{\"action\":\"PUT\",\"kind\":\"UPSTREAM\",\"id\":\"mine\",\"body\":" + upstream
                        + "}]}");
        assertThat(batch.pointers()).isEqualTo("/operations/0/body/labels/openapi.import");
        assertThat(client.get("/import/openapi").json().at("/items/0/resources").asInt())
                .isEqualTo(7);
    }

    @Test
    void routeThatTakesTheNameOfAnImportBlocksNeitherItsChangeNorItsRemoval() {
        send("", PETS, "{'proxyServerId':'web'}");
        client.put("/upstreams/mine", "{\"nodes\":[{\"url\":\"http://10.0.0.1\"}]}");
        client.put("/proxy-passes/mine", "{\"upstreamId\":\"mine\"}");
        client.put("/routers/mine", "{\"proxyServerId\":\"web\",\"hosts\":[\"mine.example.com\"]}");
        Reply made = client.put(
                "/routes/pet-store.mine",
                "{\"routerId\":\"mine\",\"path\":\"/pets\",\"methods\":[\"GET\"],\"proxyPassId\":\"mine\",\"labels\":"
                        + "{\"openapi.import\":\"pet-store\"}}");
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        assertThat(changes(send("", PETS, "{'proxyServerId':'web','removeVanished':true}")))
                .isEmpty();
        Reply removed = client.delete("/import/openapi/pet-store");
        assertThat(removed.status()).as("%s", removed).isEqualTo(200);
        assertThat(client.get("/routes/pet-store.mine").status()).isEqualTo(200);
    }
}
