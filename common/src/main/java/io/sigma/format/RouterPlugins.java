package io.sigma.format;

import io.sigma.model.AccessLogFormat;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.CorsPlugin;
import io.sigma.model.CspDirective;
import io.sigma.model.CspPlugin;
import io.sigma.model.HstsPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.XFramePlugin;
import io.sigma.model.XFrameValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the {@code plugin} of a router. */
final class RouterPlugins {

    private static final String WITHOUT_MEANING = "kept as a label; it changes nothing";
    private static final String FORMATTERS =
            "kept as a label; lines are JSON (known: json, combined, default, or a line with $variables)";

    /** The values of {@code x-frame}. */
    private enum XFrame {
        NONE,
        DENY,
        SAMEORIGIN
    }

    private RouterPlugins() {}

    static @Nullable Plugins read(ObjectFields fields, Map<String, String> labels) {
        fields.keep("metadata", labels, WITHOUT_MEANING);
        fields.keep("sub-router", labels, WITHOUT_MEANING);
        fields.keep("sub-router-id", labels, WITHOUT_MEANING);
        Plugins plugins = Plugins.builder()
                .xFrame(xFrame(fields.constant("x-frame", XFrame.class, XFrame.NONE)))
                .cors(fields.has("cors") ? cors(fields.object("cors")) : null)
                .hsts(fields.has("hsts") ? hsts(fields.object("hsts")) : null)
                .csp(fields.has("csp") ? csp(fields.object("csp")) : null)
                .accessLog(fields.has("log-config") ? log(fields.object("log-config"), labels) : null)
                .build();
        fields.refuseOthers();
        return plugins.equals(Plugins.builder().build()) ? null : plugins;
    }

    private static @Nullable XFramePlugin xFrame(XFrame value) {
        return value == XFrame.NONE
                ? null
                : XFramePlugin.builder()
                        .value(XFrameValue.valueOf(value.name()))
                        .build();
    }

    private static CorsPlugin cors(ObjectFields fields) {
        CorsPlugin cors = CorsPlugin.builder()
                .enabled(fields.bool("enable", false))
                .allowOrigins(fields.texts("allow-origins"))
                .allowMethods(fields.texts("allow-methods"))
                .allowCredentials(fields.bool("allow-credentials", false))
                .build();
        fields.refuseOthers();
        return cors;
    }

    private static HstsPlugin hsts(ObjectFields fields) {
        HstsPlugin hsts = HstsPlugin.builder()
                .enabled(fields.bool("enable", false))
                .maxAgeSeconds((long) fields.integer("max-age", 15_768_000, 0, 315_360_000))
                .includeSubDomains(fields.bool("include-sub-domains", false))
                .build();
        fields.refuseOthers();
        return hsts;
    }

    private static @Nullable CspPlugin csp(ObjectFields fields) {
        boolean enabled = fields.bool("enable", false);
        boolean kebab = fields.bool("report-only", false);
        boolean reportOnly = fields.bool("reportOnly", kebab);
        List<CspDirective> directives = new ArrayList<>();
        for (ObjectFields directive : fields.array("directive")) {
            directives.add(new CspDirective(directive.requiredText("name"), directive.text("value")));
            directive.refuseOthers();
        }
        fields.refuseOthers();
        if (!enabled && directives.isEmpty()) {
            return null;
        }
        return CspPlugin.builder()
                .enabled(enabled)
                .directives(directives)
                .reportOnly(reportOnly)
                .build();
    }

    private static AccessLogPlugin log(ObjectFields fields, Map<String, String> labels) {
        AccessLogPlugin.Builder log = AccessLogPlugin.builder().enabled(fields.bool("enable", false));
        String file = fields.text("log-file");
        if (file != null && !file.isEmpty()) {
            log.path(fields.resolve(file));
        }
        String given = fields.text("formatter");
        String formatter = given == null ? "" : given;
        if (formatter.indexOf('$') >= 0) {
            log.format(AccessLogFormat.TEMPLATE).template(formatter);
        } else if (formatter.equalsIgnoreCase("combined") || formatter.equalsIgnoreCase("default")) {
            log.format(AccessLogFormat.COMBINED);
        } else if (!formatter.isEmpty() && !formatter.equalsIgnoreCase("json")) {
            fields.keep("formatter", labels, FORMATTERS);
        }
        fields.refuseOthers();
        return log.build();
    }
}
