package io.sigma.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

final class YamlTest {

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "a",
            "a b",
            " a",
            "a ",
            "a: b",
            "a:",
            ":a",
            "#a",
            "a #b",
            "- a",
            "-",
            "?",
            "? a",
            "~",
            "null",
            "NULL",
            "true",
            "False",
            "yes",
            "No",
            "on",
            "OFF",
            "y",
            "N",
            "1",
            "-1",
            "+1",
            "1.5",
            ".5",
            "1e3",
            "0x1F",
            "0o7",
            "017",
            "1_000",
            "12:30:45",
            "2001-01-01",
            "2001-01-01T00:00:00Z",
            ".inf",
            ".NaN",
            "<<",
            "=",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`a",
            "|",
            ">",
            "{a}",
            "[a]",
            "a,b",
            "'a'",
            "\"a\"",
            "it's",
            "a\\b",
            "a\tb",
            "\t",
            "a\n",
            "\na",
            "a\nb",
            "a\n\nb\n",
            "  a\n b",
            "a \nb",
            "a\r\nb",
            "a\rb",
            "\u0085",
            "\u2028",
            "\ufeff",
            "é",
            "\ud83d\ude00",
            "\u001b",
            "---",
            "...",
            "--- a",
            "a\n---\nb",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n");

    private static JsonNode read(String yaml) throws Exception {
        return io.sigma.json.Yaml.read(yaml.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void everyTextComesBackAsItWas() throws Exception {
        ObjectNode tree = Json.mapper().createObjectNode();
        for (String text : TEXTS) {
            tree.put("k" + text, text).putArray("l" + text).add(text);
            tree.putObject("o" + text).put(text, text);
        }
        byte[] yaml = io.sigma.json.Yaml.bytes(tree);
        assertThat(io.sigma.json.Yaml.read(yaml)).isEqualTo(tree);
        // Another reader, of YAML 1.1, with all its implicit types.
        Object other = new Yaml().load(new String(yaml, StandardCharsets.UTF_8));
        assertThat(Json.tree(other)).isEqualTo(tree);
    }

    @Test
    void textsOfAnyCharactersComeBack() throws Exception {
        Random random = new Random(7);
        String alphabet = "ab01 :#-?,[]{}&*!|>'\"%@`~=.\n\t\\_\u00e9";
        ObjectNode tree = Json.mapper().createObjectNode();
        for (int i = 0; i < 5000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(8); n > 0; n--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            tree.put("k" + i, text.toString());
        }
        assertThat(io.sigma.json.Yaml.read(io.sigma.json.Yaml.bytes(tree))).isEqualTo(tree);
    }

    @Test
    void certificatesAreReadable() {
        ObjectNode tree = Json.mapper().createObjectNode();
        tree.put("certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n");
        assertThat(new String(io.sigma.json.Yaml.bytes(tree), StandardCharsets.UTF_8))
                .isEqualTo("certificate: |\n  -----BEGIN CERTIFICATE-----\n  MIIB\n  -----END CERTIFICATE-----\n");
    }

    @Test
    void whatIsNotOnePlainDocumentIsRefused() {
        for (String yaml : new String[] {
            "a: 1\na: 2",
            "a: [",
            "a: 1\n---\nb: 2",
            "a: &x [1]\nb: *x",
            "a: &x {c: 1}\nb:\n  <<: *x",
            "\ta: 1",
            "[".repeat(200)
        }) {
            assertThatThrownBy(() -> read(yaml)).as(yaml).isInstanceOf(JsonProcessingException.class);
        }
    }

    @Test
    void numbersAndBooleansAreThose() throws Exception {
        assertThat(read("{a: 1, b: true, c: 'x', d: off}").toString())
                .isEqualTo("{\"a\":1,\"b\":true,\"c\":\"x\",\"d\":\"off\"}");
        assertThat(read("").isMissingNode()).isTrue();
        assertThat(YAMLMapper.builder().build().readTree("a: 1")).isEqualTo(read("a: 1"));
    }
}
