package io.sigma.controlplane.api.operation.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A control plane with a proxy server, into which documents are imported. */
abstract class OpenApiImportContract {

    static final String PETS = """
            openapi: 3.1.0
            info: { title: Pet Store, version: 1.0.0 }
            servers:
              - url: https://{region}.pets.internal/v1
                variables: { region: { default: eu, enum: [eu, us] } }
              - url: https://us.pets.internal/v1
              - url: https://old.pets.internal/v0
            paths:
              /pets:
                get: { operationId: listPets, summary: List all pets, tags: [pets], responses: {} }
                post: { operationId: createPets, responses: {} }
              /pets/{petId}:
                $ref: '#/components/pathItems/Pet'
              /pets/{petId}/photo.{format}:
                get: { responses: {} }
              /elsewhere:
                $ref: 'https://example.com/other.yaml#/paths/x'
              /circle:
                $ref: '#/paths/~1circle'
            webhooks: { newPet: { post: { responses: {} } } }
            components:
              pathItems:
                Pet:
                  get: { operationId: showPetById, responses: {} }
              securitySchemes:
                key: { type: apiKey, in: header, name: X-Key }
            """;

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    final AdminClient client = running.client();

    @BeforeEach
    void start() {
        client.put("/proxy-servers/web", "{\"port\":8080}");
    }

    Reply send(String query, String document, String more, String... headers) {
        ObjectNode body = (ObjectNode) Json.read(more.replace('\'', '"'), JsonNode.class);
        return client.post(
                "/import/openapi" + query, body.put("document", document).toString(), headers);
    }

    static List<String> changes(Reply reply) {
        List<String> changes = new ArrayList<>();
        reply.json()
                .path("changes")
                .forEach(change -> changes.add(change.path("action").asText() + " "
                        + change.path("kind").asText() + " " + change.path("id").asText()));
        return changes;
    }
}
