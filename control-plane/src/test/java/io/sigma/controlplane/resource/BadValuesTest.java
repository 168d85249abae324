package io.sigma.controlplane.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.BadValue;
import io.sigma.controlplane.testing.ContractWalk;
import io.sigma.controlplane.testing.ContractWalk.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Walks the whole contract: whatever breaks it is refused, and told where. */
final class BadValuesTest {

    private static final ContractWalk WALK = ContractWalk.load();

    @RegisterExtension
    static final TestAdmission admission = new TestAdmission();

    @Test
    void whatIsWalkedFitsTheContract() {
        List<Place> places = WALK.places();
        assertThat(places).hasSizeGreaterThan(600);
        for (Place place : places) {
            assertThat(admission.contract().check(place.type(), place.body()))
                    .as("%s in %s", place, place.body())
                    .isEmpty();
        }
    }

    @Test
    void everyBadValueOfEveryFieldIsRefusedWithItsPointer() {
        List<String> wrong = new ArrayList<>();
        int tried = 0;
        for (Place place : WALK.places()) {
            for (BadValue bad : BadValue.of(WALK, place)) {
                tried++;
                List<String> pointers = admission.refused(place.type(), bad.body());
                if (!pointers.equals(List.of(bad.pointer()))) {
                    wrong.add(bad + " -> " + pointers);
                }
            }
        }
        System.out.printf("%d bad values tried%n", tried);
        assertThat(tried).isGreaterThan(5000);
        assertThat(wrong).isEmpty();
    }

    @Test
    void everythingThatAUserWritesIsBounded() {
        Set<String> unbounded = new TreeSet<>();
        for (Place place : WALK.places()) {
            JsonNode schema = place.schema();
            boolean map = schema.path("additionalProperties").isObject();
            boolean bounded = switch (schema.path("type").asText()) {
                case "string" -> schema.has("enum") || schema.has("maxLength");
                case "integer" -> schema.has("minimum") && schema.has("maximum");
                case "array" -> schema.has("maxItems");
                case "object" ->
                    schema.has("properties")
                            ? schema.path("additionalProperties").isBoolean()
                            : schema.has("maxProperties")
                                    && (!map
                                            || WALK.names(schema)
                                                    .path("maxLength")
                                                    .isInt());
                case "boolean" -> true;
                default -> false;
            };
            if (!bounded) {
                unbounded.add(place.name());
            }
        }
        assertThat(unbounded).isEmpty();
    }
}
