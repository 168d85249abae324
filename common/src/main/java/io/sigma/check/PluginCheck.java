package io.sigma.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import io.sigma.model.AccessLogFormat;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.AclPlugin;
import io.sigma.model.ConcurrencyLimitPlugin;
import io.sigma.model.CorsPlugin;
import io.sigma.model.CspPlugin;
import io.sigma.model.FaultAbort;
import io.sigma.model.FaultDelay;
import io.sigma.model.FaultInjectionPlugin;
import io.sigma.model.HeadersPlugin;
import io.sigma.model.HttpsRedirectPlugin;
import io.sigma.model.IpAccessPlugin;
import io.sigma.model.LimitKey;
import io.sigma.model.MockResponsePlugin;
import io.sigma.model.Plugins;
import io.sigma.model.RateLimitPlugin;
import io.sigma.model.RewritePathPlugin;
import io.sigma.model.StaticResourcesPlugin;
import io.sigma.model.TracingPlugin;
import io.sigma.value.AddressRange;
import io.sigma.value.FetchUrl;
import io.sigma.value.InvalidValue;
import io.sigma.value.LogTemplate;
import io.sigma.value.MediaRange;
import io.sigma.value.Mismatch;
import io.sigma.value.PathPattern;
import io.sigma.value.PathRewrite;
import io.sigma.value.Re2;
import io.sigma.value.Tokens;
import io.sigma.value.UrlAuthority;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks the plugins of any level; pointers begin with {@code /plugins}. */
final class PluginCheck {

    private static final Set<Integer> HTTPS_REDIRECTS = Set.of(301, 302, 307, 308);

    private static final int EXTENSION_NAME_MAX = 64;
    private static final int EXTENSION_LENGTH_MAX = 65_536;
    /** The largest whole number that a double has exactly, with all below it. */
    private static final long EXACT_MAX = (1L << 53) - 1;

    private static final long FILL_SECONDS_MAX = 31_536_000;

    /**
     * A rule for a plugin beyond its schema.
     *
     * @param name its property in {@code Plugins}
     * @param check notes what is wrong, with pointers relative to the plugin
     */
    private record Rule<P>(String name, Function<Plugins, @Nullable P> configuration, BiConsumer<Findings, P> check) {

        void apply(Findings findings, Plugins plugins) {
            P plugin = configuration.apply(plugins);
            if (plugin != null) {
                check.accept(findings.at("plugins", name), plugin);
            }
        }
    }

    private static final List<Rule<?>> RULES = List.of(
            new Rule<>("accessLog", Plugins::accessLog, PluginCheck::accessLog),
            new Rule<>("acl", Plugins::acl, PluginCheck::acl),
            new Rule<>("brotli", Plugins::brotli, (findings, brotli) -> types(findings, brotli.types())),
            new Rule<>("concurrencyLimit", Plugins::concurrencyLimit, PluginCheck::concurrencyLimit),
            new Rule<>("cors", Plugins::cors, PluginCheck::cors),
            new Rule<>("csp", Plugins::csp, PluginCheck::csp),
            new Rule<>("extensions", Plugins::extensions, PluginCheck::extensions),
            new Rule<>("faultInjection", Plugins::faultInjection, PluginCheck::faultInjection),
            new Rule<>("gzip", Plugins::gzip, (findings, gzip) -> types(findings, gzip.types())),
            new Rule<>("headers", Plugins::headers, PluginCheck::headers),
            new Rule<>("httpsRedirect", Plugins::httpsRedirect, PluginCheck::httpsRedirect),
            new Rule<>("ipAccess", Plugins::ipAccess, PluginCheck::ipAccess),
            new Rule<>("jwt", Plugins::jwt, JwtCheck::check),
            new Rule<>(
                    "keyAuth",
                    Plugins::keyAuth,
                    (findings, key) -> Headers.checkName(findings, key.header(), "header")),
            new Rule<>("mockResponse", Plugins::mockResponse, PluginCheck::mockResponse),
            new Rule<>("rateLimit", Plugins::rateLimit, PluginCheck::rateLimit),
            new Rule<>(
                    "requestId",
                    Plugins::requestId,
                    (findings, id) -> Headers.checkRequestName(findings, id.header(), "header")),
            new Rule<>(
                    "responseTime",
                    Plugins::responseTime,
                    (findings, time) -> Headers.checkName(findings, time.header(), "header")),
            new Rule<>("rewritePath", Plugins::rewritePath, PluginCheck::rewritePath),
            new Rule<>("staticResources", Plugins::staticResources, PluginCheck::staticResources),
            new Rule<>("tracing", Plugins::tracing, PluginCheck::tracing),
            new Rule<>("zstd", Plugins::zstd, (findings, zstd) -> types(findings, zstd.types())));

    private PluginCheck() {}

    static void check(Findings findings, Plugins plugins) {
        for (Rule<?> rule : RULES) {
            rule.apply(findings, plugins);
        }
    }

    private static void extensions(Findings findings, Map<String, JsonNode> extensions) {
        extensions.forEach((name, configuration) -> {
            boolean named = Tokens.isToken(name) && name.length() <= EXTENSION_NAME_MAX;
            findings.require(named, Mismatch.quoted(name, "the name of a plugin"), name);
            JsonNode enabled = configuration.path("enabled");
            boolean flag = enabled.isMissingNode() || enabled.isBoolean();
            findings.require(flag, Mismatch.of(enabled, "true or false"), name, "enabled");
            boolean fits = configuration.toString().length() <= EXTENSION_LENGTH_MAX;
            findings.require(fits, Mismatch.of("too long", "at most " + EXTENSION_LENGTH_MAX + " characters"), name);
            wholeNumbers(findings.at(name), configuration);
        });
    }

    /**
     * Equal values must have equal canonical JSON, which is not given for fractions; and readers that have doubles
     * alone, such as a browser, would change larger numbers without a word (RFC 7493 §2.2).
     */
    private static void wholeNumbers(Findings findings, JsonNode node) {
        node.properties().forEach(field -> wholeNumbers(findings.at(field.getKey()), field.getValue()));
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            wholeNumbers(findings.at(i), node.get(i));
        }
        boolean exact = !node.isNumber()
                || (node.isIntegralNumber()
                        && node.canConvertToLong()
                        && node.longValue() >= -EXACT_MAX
                        && node.longValue() <= EXACT_MAX);
        findings.require(
                exact, Mismatch.of(node, "a whole number from " + -EXACT_MAX + " to " + EXACT_MAX + ", or a text"));
    }

    private static void accessLog(Findings findings, AccessLogPlugin log) {
        String template = log.template();
        boolean needed = log.format() == AccessLogFormat.TEMPLATE;
        findings.require(!needed || template != null, Mismatch.absent("the line to write"), "template");
        findings.require(needed || template == null, Mismatch.present("only with format TEMPLATE"), "template");
        if (template != null) {
            findings.parse(() -> LogTemplate.parse(template), "template");
        }
        findings.range(log.fileBytesMax(), 1024, 10_737_418_240L, "fileBytesMax");
        findings.range(log.filesMax(), 1, 100, "filesMax");
    }

    private static void acl(Findings findings, AclPlugin acl) {
        boolean some = !acl.allowConsumers().isEmpty()
                || !acl.allowGroups().isEmpty()
                || !acl.denyConsumers().isEmpty()
                || !acl.denyGroups().isEmpty();
        findings.require(some, Mismatch.of("[]", "at least one name in allow or deny"), "allowConsumers");
    }

    private static void types(Findings findings, List<String> ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            String range = ranges.get(i);
            findings.parse(() -> MediaRange.parse(range), "types", i);
        }
    }

    private static void concurrencyLimit(Findings findings, ConcurrencyLimitPlugin limit) {
        findings.range(limit.requests(), 1, 1_000_000, "requests");
        limitKey(findings, limit.key(), limit.header());
    }

    private static void rateLimit(Findings findings, RateLimitPlugin limit) {
        findings.range(limit.requests(), 1, 1_000_000, "requests");
        findings.range(limit.periodSeconds(), 1, 86_400, "periodSeconds");
        findings.range(limit.burst(), 1, 1_000_000, "burst");
        findings.range(limit.keysMax(), 16, 1_000_000, "keysMax");
        long burst = limit.burst() == null ? limit.requests() : limit.burst();
        long fillSeconds = burst * limit.periodSeconds() / Math.max(1, limit.requests());
        Mismatch detail = Mismatch.of(burst, "a bucket that is full again within a year");
        findings.require(fillSeconds <= FILL_SECONDS_MAX, detail, "burst");
        limitKey(findings, limit.key(), limit.header());
    }

    private static void limitKey(Findings findings, LimitKey key, @Nullable String header) {
        boolean needed = key == LimitKey.HEADER;
        findings.require(!needed || header != null, Mismatch.absent("the header to count by"), "header");
        findings.require(needed || header == null, Mismatch.present("only with key HEADER"), "header");
    }

    private static void cors(Findings findings, CorsPlugin cors) {
        for (int i = 0; i < cors.allowOrigins().size(); i++) {
            String origin = cors.allowOrigins().get(i);
            Mismatch detail = Mismatch.quoted(origin, "* or scheme://host[:port], without a path");
            findings.require(origin.equals("*") || isOrigin(origin), detail, "allowOrigins", i);
        }
        for (int i = 0; i < cors.allowMethods().size(); i++) {
            Methods.check(findings, cors.allowMethods().get(i), "allowMethods", i);
        }
        boolean any = cors.allowOrigins().isEmpty() || cors.allowOrigins().contains("*");
        Mismatch detail =
                Mismatch.of("true", "false, or allowOrigins without *, which browsers refuse with credentials");
        findings.require(!cors.allowCredentials() || !any, detail, "allowCredentials");
    }

    private static boolean isOrigin(String text) {
        try {
            URI uri = URI.create(text);
            return uri.getScheme() != null
                    && UrlAuthority.of(uri) != null
                    && uri.getRawPath().isEmpty()
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void csp(Findings findings, CspPlugin csp) {
        findings.require(!csp.directives().isEmpty(), Mismatch.of("[]", "at least one directive"), "directives");
        for (int i = 0; i < csp.directives().size(); i++) {
            String value = csp.directives().get(i).value();
            if (value != null) {
                Headers.checkValue(findings, value, "directives", i, "value");
            }
        }
    }

    private static void httpsRedirect(Findings findings, HttpsRedirectPlugin redirect) {
        Mismatch detail = Mismatch.of(redirect.status(), "301, 302, 307 or 308");
        findings.require(HTTPS_REDIRECTS.contains(redirect.status()), detail, "status");
    }

    private static void faultInjection(Findings findings, FaultInjectionPlugin fault) {
        FaultDelay delay = fault.delay();
        FaultAbort abort = fault.abort();
        findings.require(delay != null || abort != null, Mismatch.absent("delay, abort or both"), "delay");
        findings.range(delay == null ? null : delay.millis(), 1, 60_000, "delay", "millis");
        findings.range(delay == null ? null : delay.percentage(), 0, 100, "delay", "percentage");
        findings.range(abort == null ? null : abort.status(), 400, 599, "abort", "status");
        MadeStatus.check(findings, abort == null ? null : abort.status(), "abort", "status");
        findings.range(abort == null ? null : abort.percentage(), 0, 100, "abort", "percentage");
    }

    private static void headers(Findings findings, HeadersPlugin headers) {
        Headers.checkRequestEdits(findings.at("request"), headers.request());
        Headers.checkEdits(findings.at("response"), headers.response());
    }

    private static void ipAccess(Findings findings, IpAccessPlugin access) {
        boolean some = !access.allow().isEmpty() || !access.deny().isEmpty();
        findings.require(some, Mismatch.of("[]", "at least one address in allow or deny"), "allow");
        ranges(findings.at("allow"), access.allow());
        ranges(findings.at("deny"), access.deny());
    }

    private static void ranges(Findings findings, List<String> ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            String range = ranges.get(i);
            findings.parse(() -> AddressRange.parse(range), i);
        }
    }

    private static void mockResponse(Findings findings, MockResponsePlugin mock) {
        findings.range(mock.status(), 200, 599, "status");
        MadeStatus.check(findings, mock.status(), "status");
        Headers.checkFields(findings.at("headers"), mock.headers());
        boolean bodiless = mock.status() == 204 || mock.status() == 304;
        boolean fits = !bodiless || mock.body() == null;
        findings.require(fits, Mismatch.present("none with status " + mock.status()), "body");
    }

    private static void rewritePath(Findings findings, RewritePathPlugin rewrite) {
        Pattern expression;
        try {
            expression = Re2.compile(rewrite.regexp());
        } catch (InvalidValue e) {
            findings.add(Faults.of("/regexp", e));
            return;
        }
        findings.parse(() -> PathRewrite.parse(expression, rewrite.replacement()), "replacement");
        findings.require(
                rewrite.replacement().indexOf('#') < 0,
                Mismatch.quoted(rewrite.replacement(), "no #, because a fragment is not sent"),
                "replacement");
    }

    private static void tracing(Findings findings, TracingPlugin tracing) {
        findings.range(tracing.samplesPerMillion(), 0, 1_000_000, "samplesPerMillion");
        String endpoint = tracing.endpoint();
        if (endpoint != null) {
            findings.parse(() -> FetchUrl.parse(endpoint), "endpoint");
        }
    }

    private static void staticResources(Findings findings, StaticResourcesPlugin statics) {
        String pattern = statics.urlPattern();
        findings.parse(
                () -> {
                    PathPattern parsed = PathPattern.parse(pattern);
                    if (!(parsed instanceof PathPattern.Exact) && !(parsed instanceof PathPattern.Prefix)) {
                        throw new InvalidValue(Mismatch.quoted(pattern, "an exact path or a prefix"));
                    }
                },
                "urlPattern");
    }
}
