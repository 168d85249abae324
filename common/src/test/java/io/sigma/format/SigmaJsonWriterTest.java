package io.sigma.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sigma.json.Json;
import io.sigma.model.FieldError;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SigmaJsonWriterTest {

    private static ConfigState example(String name) throws IOException {
        try (InputStream in = SigmaJsonWriterTest.class.getResourceAsStream("/sigma-json/" + name)) {
            return SigmaJsonReader.read(Json.mapper().readTree(Objects.requireNonNull(in)))
                    .state();
        }
    }

    /** Resources in the shape of the whole state, with single quotes. */
    private static ConfigState state(String json) {
        JsonNode root = Json.read(json.replace('\'', '"'), JsonNode.class);
        List<EntityChange> changes = new ArrayList<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            root.path(type.field())
                    .forEach(one -> changes.add(
                            EntityChange.of(type.kind(), one.path("id").asText(), one)));
        }
        return ConfigState.empty().with(changes);
    }

    private static void assertSame(ConfigState one, ConfigState other) {
        ResourceType.ALL.forEach(
                type -> assertThat(one.of(type)).as(type.label()).isEqualTo(other.of(type)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"minimal.json", "full.json"})
    void aFileThatWasReadAndWrittenReadsTheSame(String name) throws IOException {
        ConfigState read = example(name);
        SigmaJsonWriter.Written written = SigmaJsonWriter.write(read);
        assertThat(written.warnings()).isEmpty();
        assertSame(SigmaJsonReader.read(written.file()).state(), read);
    }

    @Test
    void whatTheFormatCannotSayIsToldFieldByField() {
        SigmaJsonWriter.Written written = SigmaJsonWriter.write(state("""
                {'proxyServers':[{'id':'a','port':80,'limits':{'headBytesMax':4096}},{'id':'b','port':81}],
                'routers':[{'id':'r','proxyServerId':'a','hosts':['one.example.com','two.example.com']},{'id':'s','proxyServerId':'b'}],
                'routes':[{'id':'x','routerId':'r','path':'/','priority':3,'proxyPassId':'p'},
                {'id':'y','routerId':'r','path':'/y','proxyPassId':'q'}],
                'proxyPasses':[{'id':'p','upstreamId':'u','timeouts':{'responseMillis':1}},{'id':'q','fixedResponse':{}}],
                'upstreams':[{'id':'u','nodes':[{'url':'http://n','weight':3}],'pool':{'connectionsMax':7}},
                {'id':'v','discovery':{'type':'DNS','url':'http://n.example.com'}}],
                'consumers':[{'id':'c'}]}"""));
        assertThat(written.warnings())
                .extracting(FieldError::pointer)
                .containsExactly(
                        "/proxyServers/a/limits/headBytesMax",
                        "/proxyServers/b",
                        "/upstreams/u/nodes/0/weight",
                        "/upstreams/v",
                        "/proxyPasses/p/timeouts/responseMillis",
                        "/proxyPasses/q",
                        "/routers/r/hosts",
                        "/routers/s",
                        "/routes/x/priority",
                        "/routes/y",
                        "/consumers/c");
        assertThat(written.warnings())
                .extracting(FieldError::detail)
                .contains(
                        "3 is read as 1: the format cannot say it",
                        "left out: the format cannot say this consumer",
                        "[\"one.example.com\",\"two.example.com\"] is read as [\"one.example.com\"]: the format cannot say it");
        assertThat(written.file().at("/proxy-client/max-pool-size-per-server").asInt())
                .isEqualTo(7);
    }

    @Test
    void theExamplesOfTheContractMakeAFileThatIsRead() throws IOException {
        JsonNode contract;
        try (InputStream in = SigmaJsonWriterTest.class.getResourceAsStream("/sigma-admin.yaml")) {
            contract = new YAMLMapper().readTree(Objects.requireNonNull(in));
        }
        List<EntityChange> changes = new ArrayList<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            contract.at("/components/schemas/" + type.model().getSimpleName() + "/examples")
                    .forEach(example -> changes.add(
                            EntityChange.of(type.kind(), example.path("id").asText(), example)));
        }
        SigmaJsonWriter.Written written =
                SigmaJsonWriter.write(ConfigState.empty().with(changes));
        ConfigState read = SigmaJsonReader.read(written.file()).state();
        assertThat(read.routes()).isNotEmpty();
        assertThat(SigmaJsonWriter.write(read).warnings())
                .as("what was read once is said whole")
                .isEmpty();
    }

    @Test
    void anEmptyStateIsAFileToo() {
        SigmaJsonWriter.Written written = SigmaJsonWriter.write(ConfigState.empty());
        assertThat(written.warnings()).isEmpty();
        assertThat(SigmaJsonReader.read(written.file()).changes()).isEmpty();
    }
}
