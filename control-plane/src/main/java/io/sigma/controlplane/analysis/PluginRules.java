package io.sigma.controlplane.analysis;

import io.sigma.check.ResourcePlugins;
import io.sigma.json.JsonPointer;
import io.sigma.model.AclPlugin;
import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Referrer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks at the plugins of a level together with those of the levels above and below. */
final class PluginRules {

    private PluginRules() {}

    static void check(Facts facts, ResourceType<?> type, String id, Object resource, Consumer<Finding> found) {
        Plugins plugins = ResourcePlugins.of(resource);
        if (plugins == null) {
            return;
        }
        Reporter reporter = new Reporter(type.kind(), id, found);
        protocol(facts, resource, plugins, reporter);
        standIn(resource, plugins, reporter);
        AclPlugin acl = plugins.acl();
        if (acl != null && acl.enabled()) {
            acl(facts, resource, plugins, acl, reporter);
        }
    }

    private record Reporter(Kind kind, String id, Consumer<Finding> found) {
        void report(Rule rule, String pointer, String detail, Referrer... others) {
            found.accept(rule.found(kind, id, pointer, detail, others));
        }
    }

    /** Finds plugins for TLS where there is only plaintext, and the reverse. */
    private static void protocol(Facts facts, Object resource, Plugins plugins, Reporter reporter) {
        List<ProxyServer> servers = servers(facts, resource);
        if (servers.isEmpty()) {
            return;
        }
        String names = servers.stream()
                .map(server -> "\"" + server.id() + "\"")
                .limit(5)
                .collect(Collectors.joining(", "));
        Referrer[] others = resource instanceof ProxyServer
                ? new Referrer[0]
                : ServerRules.referrers(
                        Kind.PROXY_SERVER,
                        servers.stream()
                                .map(server -> String.valueOf(server.id()))
                                .toList());
        if (plugins.hsts() != null
                && plugins.hsts().enabled()
                && servers.stream().noneMatch(server -> server.protocol() == Protocol.HTTPS)) {
            reporter.report(
                    Rule.PLUGIN_NEVER_RUNS,
                    JsonPointer.of("plugins", "hsts"),
                    "hsts adds its field on TLS only, and " + names + " speaks plaintext.",
                    others);
        }
        if (plugins.httpsRedirect() != null
                && plugins.httpsRedirect().enabled()
                && servers.stream().allMatch(server -> server.protocol() == Protocol.HTTPS)) {
            reporter.report(
                    Rule.PLUGIN_NEVER_RUNS,
                    JsonPointer.of("plugins", "httpsRedirect"),
                    "httpsRedirect redirects plaintext only, and " + names + " speaks TLS.",
                    others);
        }
    }

    /** Finds plugins that change a request which no node receives. */
    private static void standIn(Object resource, Plugins plugins, Reporter reporter) {
        boolean mocked =
                plugins.mockResponse() != null && plugins.mockResponse().enabled();
        boolean fixed = resource instanceof ProxyPass pass && pass.fixedResponse() != null;
        if (!mocked && !fixed) {
            return;
        }
        String by = mocked ? "mockResponse answers every request first" : "fixedResponse answers every request";
        if (plugins.rewritePath() != null && plugins.rewritePath().enabled()) {
            reporter.report(
                    Rule.PLUGIN_NEVER_RUNS,
                    JsonPointer.of("plugins", "rewritePath"),
                    by + ": there is no node whose path rewritePath could change.");
        }
        if (mocked
                && plugins.staticResources() != null
                && plugins.staticResources().enabled()) {
            reporter.report(
                    Rule.PLUGIN_NEVER_RUNS,
                    JsonPointer.of("plugins", "staticResources"),
                    by + ": staticResources never sees one.");
        }
    }

    private static void acl(Facts facts, Object resource, Plugins plugins, AclPlugin acl, Reporter reporter) {
        String pointer = JsonPointer.of("plugins", "acl");
        boolean known = PluginUse.knowsConsumers(plugins)
                || near(facts, resource).map(ResourcePlugins::of).anyMatch(PluginUse::knowsConsumers);
        if (!known) {
            reporter.report(
                    Rule.ACL_WITHOUT_AUTHENTICATION,
                    pointer,
                    "acl needs consumers, and no level has keyAuth, basicAuth or jwt to identify them: every "
                            + "client is answered 401.");
        }
        Set<String> consumers = facts.state().consumers().keySet();
        unknown(acl.allowConsumers(), consumers, "consumer", pointer + "/allowConsumers/", reporter);
        unknown(acl.denyConsumers(), consumers, "consumer", pointer + "/denyConsumers/", reporter);
        Set<String> groups = facts.state().consumers().values().stream()
                .flatMap(consumer -> consumer.groups().stream())
                .collect(Collectors.toSet());
        unknown(acl.allowGroups(), groups, "consumer of the group", pointer + "/allowGroups/", reporter);
        unknown(acl.denyGroups(), groups, "consumer of the group", pointer + "/denyGroups/", reporter);
    }

    private static void unknown(List<String> named, Set<String> known, String what, String pointer, Reporter reporter) {
        for (int i = 0; i < named.size(); i++) {
            if (!known.contains(named.get(i))) {
                reporter.report(
                        Rule.ACL_UNKNOWN, pointer + i, "\"" + named.get(i) + "\": there is no such " + what + ".");
            }
        }
    }

    /** Returns the proxy servers whose requests a level sees. */
    private static List<ProxyServer> servers(Facts facts, Object resource) {
        return near(facts, resource)
                .filter(ProxyServer.class::isInstance)
                .map(ProxyServer.class::cast)
                .distinct()
                .toList();
    }

    /** Returns the levels, this one included, through which requests pass that pass this one. */
    private static Stream<Object> near(Facts facts, Object resource) {
        return switch (resource) {
            case ProxyServer server ->
                Stream.concat(
                        Stream.of(server),
                        facts.referring(ResourceType.ROUTER, Kind.PROXY_SERVER, String.valueOf(server.id())).stream()
                                .flatMap(router -> below(facts, router)));
            case Router router -> Stream.concat(above(facts.server(router)), below(facts, router));
            case Route route -> Stream.concat(above(facts, route), Stream.concat(Stream.of(route), pass(facts, route)));
            case ProxyPass pass ->
                Stream.concat(
                        Stream.of(pass),
                        facts.referring(ResourceType.ROUTE, Kind.PROXY_PASS, String.valueOf(pass.id())).stream()
                                .flatMap(route -> Stream.concat(Stream.of(route), above(facts, route))));
            default -> Stream.empty();
        };
    }

    private static Stream<Object> above(@Nullable ProxyServer server) {
        return Stream.ofNullable(server).map(Object.class::cast);
    }

    private static Stream<Object> above(Facts facts, Route route) {
        Router router = facts.router(route);
        return router == null ? Stream.empty() : Stream.concat(Stream.of(router), above(facts.server(router)));
    }

    private static Stream<Object> below(Facts facts, Router router) {
        return Stream.concat(
                Stream.of(router),
                facts.referring(ResourceType.ROUTE, Kind.ROUTER, String.valueOf(router.id())).stream()
                        .flatMap(route -> Stream.concat(Stream.of(route), pass(facts, route))));
    }

    private static Stream<Object> pass(Facts facts, Route route) {
        return Stream.of(route.proxyPassId())
                .map(id -> facts.state().proxyPasses().get(id))
                .filter(Objects::nonNull)
                .map(Object.class::cast);
    }
}
