package io.sigma.controlplane.api.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;
import io.sigma.model.FieldError;
import io.sigma.model.FieldErrorCode;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Errors of a body take bounded memory, however many there are: the validator notes each item of a list several times,
 * and half a million of them are more than the heap of a small control plane.
 */
final class ExcessiveBodyTest extends LoadedContract {

    private static final int MANY = 20_000;

    @Test
    void itemsOfAListThatIsTooLongAreToldUpToABound() {
        ObjectNode upstream = Json.mapper().createObjectNode();
        ArrayNode nodes = upstream.putArray("nodes");
        for (int i = 0; i < MANY; i++) {
            nodes.add(0);
        }

        assertThat(contract.check(ResourceType.UPSTREAM, upstream))
                .extracting(FieldError::pointer, FieldError::code)
                .hasSize(100)
                .startsWith(tuple("/nodes", FieldErrorCode.LENGTH), tuple("/nodes/0", FieldErrorCode.TYPE))
                .endsWith(tuple("/nodes/98", FieldErrorCode.TYPE));
    }

    @Test
    void fieldsOfAMapThatIsTooLongAreToldUpToABound() {
        ObjectNode upstream = Json.mapper().createObjectNode();
        ObjectNode labels = upstream.putObject("labels");
        for (int i = 0; i < MANY; i++) {
            labels.put("label" + i, 0);
        }

        assertThat(contract.check(ResourceType.UPSTREAM, upstream))
                .extracting(FieldError::pointer, FieldError::code)
                .hasSize(100)
                .startsWith(tuple("/labels", FieldErrorCode.LENGTH), tuple("/labels/label0", FieldErrorCode.TYPE));
    }

    @Test
    void aListThatIsTooLongIsToldAlone() {
        ObjectNode upstream = Json.mapper().createObjectNode();
        ArrayNode nodes = upstream.putArray("nodes");
        for (int i = 0; i < MANY; i++) {
            nodes.addObject().put("url", "http://127.0.0.1:" + i).put("weight", -1);
        }

        assertThat(contract.check(ResourceType.UPSTREAM, upstream))
                .extracting(FieldError::pointer, FieldError::code)
                .containsExactly(tuple("/nodes", FieldErrorCode.LENGTH));
    }

    @Test
    void unknownFieldsAreToldUpToABound() {
        ObjectNode upstream = Json.mapper().createObjectNode();
        for (int i = 0; i < MANY; i++) {
            upstream.put("field" + i, 0);
        }

        assertThat(contract.check(ResourceType.UPSTREAM, upstream))
                .hasSize(100)
                .extracting(FieldError::code)
                .containsOnly(FieldErrorCode.UNKNOWN_FIELD);
    }

    @Test
    void valuesOfAWrongTypeAreToldUpToABound() {
        ObjectNode upstream = Json.mapper().createObjectNode();
        ArrayNode nodes = upstream.putArray("nodes");
        for (int i = 0; i < 1_024; i++) {
            nodes.add(0);
        }

        List<FieldError> errors = contract.check(ResourceType.UPSTREAM, upstream);

        assertThat(errors).hasSize(100);
        assertThat(errors.getFirst().pointer()).isEqualTo("/nodes/0");
    }
}
