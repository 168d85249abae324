package io.sigma.controlplane.analysis;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.model.Finding;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Configurations in the shape of the whole state, with single quotes. */
final class Configs {

    static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

    private Configs() {}

    static ConfigState state(String json) {
        return with(ConfigState.empty(), json);
    }

    /** Returns {@code state} with the resources of {@code json} created or replaced. */
    static ConfigState with(ConfigState state, String json) {
        JsonNode root = Json.read(json.replace('\'', '"'), JsonNode.class);
        List<EntityChange> changes = new ArrayList<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            root.path(type.field())
                    .forEach(one -> changes.add(
                            EntityChange.of(type.kind(), one.path("id").asText(), one)));
        }
        return state.with(changes);
    }

    /** Returns what is odd, in order. */
    static List<Finding> analyse(ConfigState state) {
        Analyzer analyzer = new Analyzer();
        analyzer.update(state, null, NOW);
        return sorted(analyzer);
    }

    static List<Finding> sorted(Analyzer analyzer) {
        List<Finding> all = new ArrayList<>();
        analyzer.findings().forEach(all::addAll);
        all.sort(AnalysisView.ORDER);
        return all;
    }

    /** Returns the findings of one rule as {@code id pointer [others]}. */
    static List<String> found(Rule rule, String json) {
        return analyse(state(json)).stream()
                .filter(finding -> finding.rule().equals(rule.id()))
                .map(Configs::text)
                .toList();
    }

    static String text(Finding finding) {
        List<String> others = finding.others().stream()
                .map(other -> other.kind() + " " + other.id())
                .toList();
        return finding.id() + " " + finding.pointer() + (others.isEmpty() ? "" : " " + others);
    }
}
