package io.sigma.format;

import io.sigma.model.ForwardedHeaders;
import io.sigma.model.Kind;
import io.sigma.model.Route;
import io.sigma.model.Router;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code router} with the routes in it. */
final class RouterSection {

    private static final String WITHOUT_MEANING = "kept as a label; it changes nothing";

    private RouterSection() {}

    static void read(Report report, List<ObjectFields> section) {
        section.forEach(fields -> router(report, fields));
    }

    private static void router(Report report, ObjectFields fields) {
        String id = fields.requiredText("id");
        Map<String, String> labels = new LinkedHashMap<>();
        fields.keep("sub-router", labels, WITHOUT_MEANING);
        String host = fields.text("virtual-host");
        Router.Builder router = Router.builder()
                .id(id)
                .description(fields.text("desc"))
                .enabled(fields.bool("enable", false))
                .proxyServerId(fields.requiredText("proxy-server-id"))
                .hosts(host == null ? List.of() : List.of(host))
                .forwardedHeaders(fields.constant("allow-forward", ForwardedHeaders.class, ForwardedHeaders.NONE))
                .plugins(RouterPlugins.read(fields.object("plugin"), labels));
        List<ObjectFields> routes = fields.array("route");
        fields.refuseOthers();
        report.add(
                Kind.ROUTER,
                id.isEmpty() ? null : id,
                fields.pointer(),
                router.labels(labels).build());
        routes.forEach(route -> route(report, route, id));
    }

    private static void route(Report report, ObjectFields fields, String routerId) {
        String id = report.freeRouteId(fields.requiredText("id"), routerId, fields.pointer());
        Route route = Route.builder()
                .id(id)
                .description(fields.text("desc"))
                .enabled(fields.bool("enable", false))
                .routerId(routerId)
                .path(fields.requiredText("path"))
                .methods(fields.texts("allow-method"))
                .consumes(fields.texts("consumes"))
                .produces(fields.texts("produces"))
                .proxyPassId(fields.requiredText("proxy-pass-id"))
                .build();
        fields.refuseOthers();
        report.add(Kind.ROUTE, id.isEmpty() ? null : id, fields.pointer(), route);
    }
}
