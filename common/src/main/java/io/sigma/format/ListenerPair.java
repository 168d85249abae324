package io.sigma.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.GzipPlugin;
import io.sigma.model.HttpsRedirectPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import io.sigma.model.StaticResourcesPlugin;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code proxy-server} and the {@code plugins} of the process. The format has one listener for plaintext and one
 * for TLS.
 */
record ListenerPair(@Nullable ProxyServer http, @Nullable ProxyServer https) {

    /** Takes the first that the format can say: an enabled one before others, then by id. */
    static ListenerPair of(ConfigState state) {
        List<ProxyServer> all = SigmaJsonWriter.sorted(state, ResourceType.PROXY_SERVER);
        return new ListenerPair(
                first(all, server -> server.protocol() == Protocol.HTTP && server.enabled()),
                first(all, server -> server.protocol() == Protocol.HTTPS && hasFiles(server.tls())));
    }

    private static @Nullable ProxyServer first(List<ProxyServer> all, Predicate<ProxyServer> fits) {
        List<ProxyServer> some = all.stream().filter(fits).toList();
        return some.stream().filter(ProxyServer::enabled).findFirst().orElse(some.isEmpty() ? null : some.getFirst());
    }

    private static boolean hasFiles(@Nullable ServerTls tls) {
        return tls != null && tls.certPath() != null && tls.keyPath() != null;
    }

    /** Returns whether routers may name it. */
    boolean has(String proxyServerId) {
        return all().anyMatch(server -> proxyServerId.equals(server.id()));
    }

    private Stream<ProxyServer> all() {
        return Stream.of(http, https).filter(Objects::nonNull).map(Objects::requireNonNull);
    }

    ObjectNode section() {
        ObjectNode section = Json.mapper().createObjectNode();
        if (http != null) {
            section.set("http", listener(http));
        }
        if (https != null) {
            ObjectNode listener = listener(https).put("enable", https.enabled());
            ServerTls tls = Objects.requireNonNull(https.tls());
            listener.putObject("ssl")
                    .put("type", "pem")
                    .put("keyPath", tls.keyPath())
                    .put("certPath", tls.certPath());
            section.set("https", listener);
        }
        return section;
    }

    private static ObjectNode listener(ProxyServer server) {
        ObjectNode listener = Json.mapper().createObjectNode().put("id", server.id());
        KeptLabels.restore(server.labels(), "server-id", listener);
        if (server.description() != null) {
            listener.put("desc", server.description());
        }
        listener.put("port", server.port());
        Plugins plugins = server.plugins();
        if (plugins != null && (plugins.gzip() != null || plugins.staticResources() != null)) {
            ObjectNode plugin = listener.putObject("plugin");
            GzipPlugin gzip = plugins.gzip();
            if (gzip != null) {
                plugin.putObject("gzip").put("enable", gzip.enabled()).put("compression-level", gzip.level());
            }
            StaticResourcesPlugin files = plugins.staticResources();
            if (files != null) {
                plugin.putObject("static-resources")
                        .put("enable", files.enabled())
                        .put("root-path", files.rootPath())
                        .put("url-pattern", files.urlPattern());
            }
        }
        return listener;
    }

    /** Returns the plugins of the whole process: what every listener has alike. */
    ObjectNode process() {
        HttpsRedirectPlugin redirect =
                http == null || http.plugins() == null ? null : http.plugins().httpsRedirect();
        boolean redirects = redirect != null && redirect.enabled() && https != null && https.enabled();
        boolean silent = all().findAny().isPresent() && all().allMatch(ListenerPair::isSilent);
        return Json.mapper()
                .createObjectNode()
                .put("http-redirect-https", redirects)
                .put("log-config", !silent);
    }

    private static boolean isSilent(ProxyServer server) {
        AccessLogPlugin log = server.plugins() == null ? null : server.plugins().accessLog();
        return log != null && !log.enabled();
    }
}
