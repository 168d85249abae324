package io.sigma.controlplane.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class AnalyzerTest {

    private static final List<String> PATHS =
            List.of("/*", "/a", "/a/*", "/a/:x", "/a/:x/*", "/a/b", "/:x", "/:x/b", "~/a/.*", "~/a[0-9]", "~.*");
    private static final List<String> HOSTS =
            List.of("", "'*.example.com'", "'a.example.com'", "'a.example.com','b.org'");
    private static final List<String> CONDITIONS = List.of(
            "",
            "'headers':[{'name':'v','value':'1'}],",
            "'headers':[{'name':'v','value':'2'}],",
            "'cookies':[{'name':'v','regex':'[0-9]'}],",
            "'methods':['GET'],",
            "'methods':['POST','GET'],");

    @Test
    void goingOnStepByStepFindsWhatALookAtTheWholeFinds() {
        Random random = new Random(7);
        Analyzer following = new Analyzer();
        ConfigState state = Configs.state("{'proxyServers':[{'id':'s0','port':80},{'id':'s1','port':81}]}");
        following.update(state, null, Configs.NOW);
        Set<String> before = new HashSet<>(texts(Configs.sorted(following)));
        int shadowed = 0;
        for (int step = 0; step < 600; step++) {
            ConfigState next = change(state, random);
            // To try it leaves nothing behind.
            List<String> tried = texts(following.attempt(changes(state, next), Configs.NOW));
            assertThat(texts(Configs.sorted(following)))
                    .as("step %d", step)
                    .containsExactlyInAnyOrderElementsOf(before);
            assertThat(texts(following.attempt(changes(state, next), Configs.NOW)))
                    .containsExactlyInAnyOrderElementsOf(tried);
            List<Finding> added = following.update(next, step % 2 == 0 ? null : changes(state, next), Configs.NOW);
            List<String> all = texts(Configs.sorted(following));
            assertThat(all).as("step %d", step).isEqualTo(texts(Configs.analyse(next)));
            Set<String> fresh = new HashSet<>(all);
            fresh.removeAll(before);
            assertThat(texts(added)).as("step %d", step).containsExactlyInAnyOrderElementsOf(fresh);
            assertThat(tried).as("step %d", step).containsExactlyInAnyOrderElementsOf(fresh);
            before = new HashSet<>(all);
            shadowed += (int) all.stream()
                    .filter(text -> text.startsWith("route-shadowed"))
                    .count();
            state = next;
        }
        assertThat(shadowed).as("that there was something to find").isGreaterThan(1000);
    }

    private static List<EntityChange> changes(ConfigState from, ConfigState to) {
        return StateChange.between(from, to).stream()
                .map(change -> new EntityChange(change.type().kind(), change.id(), change.after()))
                .toList();
    }

    private static List<String> texts(List<Finding> findings) {
        return findings.stream()
                .map(finding -> finding.rule() + " " + Configs.text(finding) + " " + finding.detail())
                .toList();
    }

    private static ConfigState change(ConfigState state, Random random) {
        int number = random.nextInt(12);
        return switch (random.nextInt(12)) {
            case 0 ->
                Configs.with(
                        state,
                        "{'routers':[{'id':'r" + number % 4 + "','proxyServerId':'s" + random.nextInt(2)
                                + "','enabled':" + (random.nextInt(4) > 0) + ",'hosts':[" + pick(HOSTS, random)
                                + "]}]}");
            case 1 ->
                Configs.with(
                        state,
                        "{'upstreams':[{'id':'u" + number % 3 + "','nodes':[{'url':'http://a:1','down':"
                                + random.nextBoolean() + "},{'url':'http://"
                                + (random.nextBoolean() ? "localhost" : "b:1") + "','down':" + random.nextBoolean()
                                + "}]}]}");
            case 2 ->
                Configs.with(
                        state,
                        "{'proxyPasses':[{'id':'p" + number % 3 + "','upstreamId':'u" + random.nextInt(3)
                                + "','plugins':{'acl':{'allowGroups':['g']}}}]}");
            case 3 ->
                Configs.with(
                        state,
                        "{'consumers':[{'id':'c','groups':['" + (random.nextBoolean() ? "g" : "h")
                                + "'],'apiKeys':[{'sha256':'x'}]}]}");
            case 4 -> {
                String server = "{'id':'s" + number % 2 + "','port':80,'enabled':" + random.nextBoolean()
                        + ",'plugins':{" + (random.nextBoolean() ? "'keyAuth':{}," : "") + "'hsts':{}}}";
                yield Configs.with(state, "{'proxyServers':[" + server + "]}");
            }
            case 5, 6 -> {
                List<String> ids = new ArrayList<>(state.routes().keySet());
                yield ids.isEmpty()
                        ? state
                        : state.with(List.of(new EntityChange(Kind.ROUTE, pick(ids, random), null)));
            }
            default -> {
                StringBuilder routes = new StringBuilder();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    routes.append(routes.isEmpty() ? "" : ",")
                            .append("{'id':'x" + random.nextInt(30) + "','routerId':'r" + random.nextInt(4) + "',"
                                    + pick(CONDITIONS, random) + "'path':'" + pick(PATHS, random) + "','proxyPassId':'p"
                                    + random.nextInt(3) + "','priority':" + random.nextInt(2) + "}");
                }
                yield Configs.with(state, "{'routes':[" + routes + "]}");
            }
        };
    }

    private static String pick(List<String> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }
}
