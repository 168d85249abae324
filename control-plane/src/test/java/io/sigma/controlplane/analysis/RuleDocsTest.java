package io.sigma.controlplane.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RuleDocsTest {

    @Test
    void everyRuleHasASectionWithItsSeverity() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("../docs/analysis.md"));
        List<String> described = lines.stream()
                .filter(line -> line.startsWith("### "))
                .map(line -> line.substring(4))
                .toList();
        assertThat(described)
                .containsExactly(Arrays.stream(Rule.values()).map(Rule::id).toArray(String[]::new));
        for (Rule rule : Rule.values()) {
            assertThat(lines.get(lines.indexOf("### " + rule.id()) + 1))
                    .as(rule.id())
                    .startsWith(rule.severity() + ". ");
        }
    }
}
