package io.sigma.dataplane.filter.chain;

import io.sigma.dataplane.filter.PluginType;
import io.sigma.dataplane.filter.auth.AclFilter;
import io.sigma.dataplane.filter.auth.BasicAuthFilter;
import io.sigma.dataplane.filter.auth.IpAccessFilter;
import io.sigma.dataplane.filter.auth.JwtFilter;
import io.sigma.dataplane.filter.auth.KeyAuthFilter;
import io.sigma.dataplane.filter.content.CompressionFilter;
import io.sigma.dataplane.filter.content.FaultInjectionFilter;
import io.sigma.dataplane.filter.content.MockResponseFilter;
import io.sigma.dataplane.filter.content.StaticResourcesFilter;
import io.sigma.dataplane.filter.header.CorsFilter;
import io.sigma.dataplane.filter.header.CspFilter;
import io.sigma.dataplane.filter.header.HeadersFilter;
import io.sigma.dataplane.filter.header.HstsFilter;
import io.sigma.dataplane.filter.header.HttpsRedirectFilter;
import io.sigma.dataplane.filter.header.RequestIdFilter;
import io.sigma.dataplane.filter.header.ResponseTimeFilter;
import io.sigma.dataplane.filter.header.RewritePathFilter;
import io.sigma.dataplane.filter.header.TracingFilter;
import io.sigma.dataplane.filter.header.XFrameFilter;
import io.sigma.dataplane.filter.limit.ConcurrencyLimitFilter;
import io.sigma.dataplane.filter.limit.RateLimitFilter;
import io.sigma.model.AclPlugin;
import io.sigma.model.BasicAuthPlugin;
import io.sigma.model.ConcurrencyLimitPlugin;
import io.sigma.model.CorsPlugin;
import io.sigma.model.CspPlugin;
import io.sigma.model.FaultInjectionPlugin;
import io.sigma.model.HeadersPlugin;
import io.sigma.model.HstsPlugin;
import io.sigma.model.HttpsRedirectPlugin;
import io.sigma.model.IpAccessPlugin;
import io.sigma.model.JwtPlugin;
import io.sigma.model.KeyAuthPlugin;
import io.sigma.model.MockResponsePlugin;
import io.sigma.model.Plugins;
import io.sigma.model.RateLimitPlugin;
import io.sigma.model.RequestIdPlugin;
import io.sigma.model.ResponseTimePlugin;
import io.sigma.model.RewritePathPlugin;
import io.sigma.model.StaticResourcesPlugin;
import io.sigma.model.TracingPlugin;
import io.sigma.model.XFramePlugin;
import io.sigma.plugin.Phase;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The one table of the plugins that run as filters. */
public final class PluginTypes {

    /** In the order of their phases, and within a phase in the order in which they see a request. */
    static final List<PluginType<?>> ALL = List.of(
            new PluginType<>(
                    "tracing",
                    Phase.OBSERVATION,
                    true,
                    Plugins::tracing,
                    TracingPlugin::enabled,
                    (plugin, services) -> new TracingFilter(plugin, services.addresses())),
            new PluginType<>(
                    "requestId",
                    Phase.OBSERVATION,
                    false,
                    Plugins::requestId,
                    RequestIdPlugin::enabled,
                    RequestIdFilter::new),
            new PluginType<>(
                    "responseTime",
                    Phase.OBSERVATION,
                    false,
                    Plugins::responseTime,
                    ResponseTimePlugin::enabled,
                    ResponseTimeFilter::new),
            PluginType.of("ipAccess", Phase.ADDRESS, Plugins::ipAccess, IpAccessPlugin::enabled, IpAccessFilter::new),
            PluginType.of(
                    "httpsRedirect",
                    Phase.REDIRECT,
                    Plugins::httpsRedirect,
                    HttpsRedirectPlugin::enabled,
                    HttpsRedirectFilter::new),
            PluginType.of("cors", Phase.REDIRECT, Plugins::cors, CorsPlugin::enabled, CorsFilter::new),
            new PluginType<>(
                    "keyAuth",
                    Phase.AUTHENTICATION,
                    false,
                    Plugins::keyAuth,
                    KeyAuthPlugin::enabled,
                    KeyAuthFilter::new),
            new PluginType<>(
                    "basicAuth",
                    Phase.AUTHENTICATION,
                    false,
                    Plugins::basicAuth,
                    BasicAuthPlugin::enabled,
                    BasicAuthFilter::new),
            new PluginType<>("jwt", Phase.AUTHENTICATION, true, Plugins::jwt, JwtPlugin::enabled, JwtFilter::new),
            PluginType.of("acl", Phase.AUTHORIZATION, Plugins::acl, AclPlugin::enabled, AclFilter::new),
            new PluginType<>(
                    "rateLimit", Phase.LIMIT, true, Plugins::rateLimit, RateLimitPlugin::enabled, RateLimitFilter::new),
            new PluginType<>(
                    "concurrencyLimit",
                    Phase.LIMIT,
                    true,
                    Plugins::concurrencyLimit,
                    ConcurrencyLimitPlugin::enabled,
                    (plugin, services) -> new ConcurrencyLimitFilter(plugin)),
            new PluginType<>(
                    "faultInjection",
                    Phase.STAND_IN,
                    false,
                    Plugins::faultInjection,
                    FaultInjectionPlugin::enabled,
                    FaultInjectionFilter::new),
            PluginType.of(
                    "mockResponse",
                    Phase.STAND_IN,
                    Plugins::mockResponse,
                    MockResponsePlugin::enabled,
                    MockResponseFilter::new),
            PluginType.of("csp", Phase.TRANSFORMATION, Plugins::csp, CspPlugin::enabled, CspFilter::new),
            PluginType.of("hsts", Phase.TRANSFORMATION, Plugins::hsts, HstsPlugin::enabled, HstsFilter::new),
            PluginType.of("xFrame", Phase.TRANSFORMATION, Plugins::xFrame, XFramePlugin::enabled, XFrameFilter::new),
            PluginType.of(
                    "headers", Phase.TRANSFORMATION, Plugins::headers, HeadersPlugin::enabled, HeadersFilter::new),
            PluginType.of(
                    "rewritePath",
                    Phase.TRANSFORMATION,
                    Plugins::rewritePath,
                    RewritePathPlugin::enabled,
                    RewritePathFilter::new),
            PluginType.of(
                    "compression",
                    Phase.CONTENT,
                    CompressionFilter.Configuration::of,
                    configuration -> true,
                    CompressionFilter::new),
            new PluginType<>(
                    "staticResources",
                    Phase.CONTENT,
                    false,
                    Plugins::staticResources,
                    StaticResourcesPlugin::enabled,
                    StaticResourcesFilter::new));

    /** Names of those whose filters belong to the resource that configures them. */
    static final Set<String> SHARED =
            ALL.stream().filter(PluginType::shared).map(PluginType::name).collect(Collectors.toUnmodifiableSet());

    /** Names of those that find out who a client is; behind them nobody passes unknown. */
    static final Set<String> AUTHENTICATORS = Set.of("basicAuth", "jwt", "keyAuth");

    private PluginTypes() {}

    /** Returns whether {@code plugins} say something of the filter of that name, be it that it is off. */
    static boolean isConfigured(String name, Plugins plugins) {
        return plugins.extensions().keySet().stream()
                        .anyMatch(extension -> PluginSet.extension(extension).equals(name))
                || ALL.stream()
                        .anyMatch(type ->
                                type.name().equals(name) && type.configuration().apply(plugins) != null);
    }
}
