package io.sigma.check;

import com.google.re2j.Pattern;
import io.sigma.model.CorsPlugin;
import io.sigma.model.CspPlugin;
import io.sigma.model.HttpsRedirectPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.RewritePathPlugin;
import io.sigma.model.StaticResourcesPlugin;
import io.sigma.value.InvalidValue;
import io.sigma.value.PathPattern;
import io.sigma.value.PathRewrite;
import io.sigma.value.Re2;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the plugins of any level; pointers begin with {@code /plugins}. */
final class PluginCheck {

    private static final Set<Integer> HTTPS_REDIRECTS = Set.of(301, 302, 307, 308);

    private PluginCheck() {}

    static void check(Findings findings, Plugins plugins) {
        cors(findings, plugins.cors());
        csp(findings, plugins.csp());
        httpsRedirect(findings, plugins.httpsRedirect());
        rewritePath(findings, plugins.rewritePath());
        staticResources(findings, plugins.staticResources());
    }

    private static void cors(Findings findings, @Nullable CorsPlugin cors) {
        if (cors == null) {
            return;
        }
        for (int i = 0; i < cors.allowOrigins().size(); i++) {
            String origin = cors.allowOrigins().get(i);
            String detail = "\"" + origin + "\" (expected: * or scheme://host[:port], without a path)";
            findings.require(origin.equals("*") || isOrigin(origin), detail, "plugins", "cors", "allowOrigins", i);
        }
        for (int i = 0; i < cors.allowMethods().size(); i++) {
            Methods.check(findings, cors.allowMethods().get(i), "plugins", "cors", "allowMethods", i);
        }
        boolean any = cors.allowOrigins().isEmpty() || cors.allowOrigins().contains("*");
        String detail = "true (expected: false, or allowOrigins without *, which browsers refuse with credentials)";
        findings.require(!cors.allowCredentials() || !any, detail, "plugins", "cors", "allowCredentials");
    }

    private static boolean isOrigin(String text) {
        try {
            URI uri = URI.create(text);
            return uri.getScheme() != null
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawPath().isEmpty()
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void csp(Findings findings, @Nullable CspPlugin csp) {
        if (csp != null) {
            boolean some = !csp.directives().isEmpty();
            findings.require(some, "[] (expected: at least one directive)", "plugins", "csp", "directives");
        }
    }

    private static void httpsRedirect(Findings findings, @Nullable HttpsRedirectPlugin redirect) {
        if (redirect != null) {
            String detail = redirect.status() + " (expected: 301, 302, 307 or 308)";
            boolean valid = HTTPS_REDIRECTS.contains(redirect.status());
            findings.require(valid, detail, "plugins", "httpsRedirect", "status");
        }
    }

    private static void rewritePath(Findings findings, @Nullable RewritePathPlugin rewrite) {
        if (rewrite == null) {
            return;
        }
        Pattern expression;
        try {
            expression = Re2.compile(rewrite.regexp());
        } catch (InvalidValue e) {
            findings.require(false, String.valueOf(e.getMessage()), "plugins", "rewritePath", "regexp");
            return;
        }
        findings.parse(
                () -> PathRewrite.parse(expression, rewrite.replacement()), "plugins", "rewritePath", "replacement");
    }

    private static void staticResources(Findings findings, @Nullable StaticResourcesPlugin statics) {
        if (statics == null) {
            return;
        }
        String pattern = statics.urlPattern();
        findings.parse(
                () -> {
                    PathPattern parsed = PathPattern.parse(pattern);
                    if (!(parsed instanceof PathPattern.Exact) && !(parsed instanceof PathPattern.Prefix)) {
                        throw new InvalidValue("\"" + pattern + "\" (expected: an exact path or a prefix)");
                    }
                },
                "plugins",
                "staticResources",
                "urlPattern");
    }
}
