package io.sigma.format;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;
import io.sigma.model.AccessLogFormat;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.CorsPlugin;
import io.sigma.model.CspDirective;
import io.sigma.model.CspPlugin;
import io.sigma.model.HstsPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.XFramePlugin;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes {@code router} with the routes in it. */
final class RouterWriter {

    private RouterWriter() {}

    static ArrayNode section(ConfigState state, ListenerPair listeners, NodesWriter nodes) {
        Map<String, List<Route>> routes = SigmaJsonWriter.sorted(state, ResourceType.ROUTE).stream()
                .filter(route -> nodes.hasPass(route.proxyPassId()))
                .collect(Collectors.groupingBy(Route::routerId));
        ArrayNode section = Json.mapper().createArrayNode();
        for (Router router : SigmaJsonWriter.sorted(state, ResourceType.ROUTER)) {
            if (listeners.has(router.proxyServerId())) {
                section.add(router(router, routes.getOrDefault(String.valueOf(router.id()), List.of())));
            }
        }
        return section;
    }

    private static ObjectNode router(Router router, List<Route> routes) {
        ObjectNode object = Json.mapper()
                .createObjectNode()
                .put("id", router.id())
                .put("enable", router.enabled())
                .put("proxy-server-id", router.proxyServerId());
        if (router.description() != null) {
            object.put("desc", router.description());
        }
        if (!router.hosts().isEmpty()) {
            object.put("virtual-host", router.hosts().getFirst());
        }
        object.put("allow-forward", router.forwardedHeaders().name());
        KeptLabels.restore(router.labels(), "sub-router", object);
        ArrayNode all = object.putArray("route");
        routes.forEach(route -> all.add(route(route)));
        ObjectNode plugin = plugin(router);
        if (!plugin.isEmpty()) {
            object.set("plugin", plugin);
        }
        return object;
    }

    private static ObjectNode route(Route route) {
        ObjectNode object =
                Json.mapper().createObjectNode().put("id", route.id()).put("enable", route.enabled());
        if (route.description() != null) {
            object.put("desc", route.description());
        }
        object.put("path", route.path());
        texts(object, "allow-method", route.methods());
        texts(object, "consumes", route.consumes());
        texts(object, "produces", route.produces());
        return object.put("proxy-pass-id", route.proxyPassId());
    }

    private static void texts(ObjectNode object, String key, List<String> texts) {
        ArrayNode array = object.putArray(key);
        texts.forEach(array::add);
    }

    private static ObjectNode plugin(Router router) {
        ObjectNode object = Json.mapper().createObjectNode();
        Plugins plugins = router.plugins() == null ? Plugins.builder().build() : router.plugins();
        XFramePlugin frame = plugins.xFrame();
        if (frame != null && frame.enabled()) {
            object.put("x-frame", frame.value().name());
        }
        CorsPlugin cors = plugins.cors();
        if (cors != null) {
            ObjectNode section = object.putObject("cors").put("enable", cors.enabled());
            texts(section, "allow-origins", cors.allowOrigins());
            texts(section, "allow-methods", cors.allowMethods());
            section.put("allow-credentials", cors.allowCredentials());
        }
        HstsPlugin hsts = plugins.hsts();
        if (hsts != null) {
            object.putObject("hsts")
                    .put("enable", hsts.enabled())
                    .put("max-age", hsts.maxAgeSeconds())
                    .put("include-sub-domains", hsts.includeSubDomains());
        }
        if (plugins.csp() != null) {
            object.set("csp", csp(plugins.csp()));
        }
        if (plugins.accessLog() != null) {
            object.set("log-config", log(plugins.accessLog(), router.labels()));
        }
        KeptLabels.restore(router.labels(), "metadata", object);
        KeptLabels.restore(router.labels(), "sub-router-id", object);
        return object;
    }

    private static ObjectNode csp(CspPlugin csp) {
        ObjectNode object =
                Json.mapper().createObjectNode().put("enable", csp.enabled()).put("report-only", csp.reportOnly());
        ArrayNode directives = object.putArray("directive");
        for (CspDirective directive : csp.directives()) {
            ObjectNode one = directives.addObject().put("name", directive.name());
            if (directive.value() != null) {
                one.put("value", directive.value());
            }
        }
        return object;
    }

    private static ObjectNode log(AccessLogPlugin log, Map<String, String> labels) {
        ObjectNode object = Json.mapper().createObjectNode().put("enable", log.enabled());
        if (log.path() != null) {
            object.put("log-file", log.path());
        }
        if (log.format() == AccessLogFormat.COMBINED) {
            object.put("formatter", "combined");
        } else if (log.format() == AccessLogFormat.TEMPLATE && log.template() != null) {
            if (log.template().indexOf('$') >= 0) {
                object.put("formatter", log.template());
            }
        } else {
            KeptLabels.restore(labels, "formatter", object);
        }
        return object;
    }
}
