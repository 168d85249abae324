package io.sigma.format;

import io.sigma.model.Kind;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.RewritePathPlugin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code proxy-pass}. */
final class ProxyPassSection {

    private ProxyPassSection() {}

    static void read(Report report, List<ObjectFields> section) {
        section.forEach(fields -> pass(report, fields));
    }

    private static void pass(Report report, ObjectFields fields) {
        String id = fields.requiredText("id");
        String upstream = fields.requiredText("upstream-id");
        ObjectFields plugin = fields.object("plugin");
        boolean degrade = plugin.bool("https-degrade-http", false);
        RewritePathPlugin rewrite = plugin.has("rewrite-path") ? rewrite(plugin.object("rewrite-path")) : null;
        plugin.refuseOthers();
        fields.refuseOthers();
        ProxyPass pass = ProxyPass.builder()
                .id(id)
                .upstreamId(upstream)
                .httpsDegradeHttp(degrade)
                .plugins(
                        rewrite == null
                                ? null
                                : Plugins.builder().rewritePath(rewrite).build())
                .build();
        report.add(Kind.PROXY_PASS, id.isEmpty() ? null : id, fields.pointer(), pass);
    }

    private static @Nullable RewritePathPlugin rewrite(ObjectFields fields) {
        boolean enabled = fields.bool("enable", false);
        String regexp = enabled ? fields.requiredText("regexp") : fields.text("regexp");
        String replacement = enabled ? fields.requiredText("replacement") : fields.text("replacement");
        fields.refuseOthers();
        if (regexp == null || replacement == null) {
            return null;
        }
        return RewritePathPlugin.builder()
                .enabled(enabled)
                .regexp(regexp)
                .replacement(replacement)
                .build();
    }
}
