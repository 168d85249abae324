package io.sigma.format;

import io.sigma.model.AccessLogPlugin;
import io.sigma.model.GzipPlugin;
import io.sigma.model.HttpsRedirectPlugin;
import io.sigma.model.Kind;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import io.sigma.model.StaticResourcesPlugin;
import io.sigma.value.Mismatch;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code proxy-server}. */
final class ListenerSection {

    private static final int HTTPS_PORT = 443;
    private static final int JAVA_WINDOW_BITS = 15;
    private static final int JAVA_MEM_LEVEL = 8;

    private ListenerSection() {}

    static void read(Report report, ObjectFields section, ProcessPlugins process) {
        boolean hasHttp = section.has("http");
        boolean hasHttps = section.has("https");
        ObjectFields http = section.object("http");
        ObjectFields https = section.object("https");
        section.refuseOthers();
        int httpsPort = https.integer("port", HTTPS_PORT, 1, 65535);
        boolean httpsEnabled = hasHttps && https.bool("enable", false);
        if (process.httpsRedirect() && !httpsEnabled) {
            report.error(
                    process.pointer() + "/http-redirect-https",
                    Mismatch.of("true", "false, or an enabled https listener at /proxy-server/https"));
        }
        if (hasHttp) {
            plain(report, http, process, httpsPort);
        }
        if (hasHttps) {
            tls(report, https, process, httpsPort, httpsEnabled);
        }
    }

    private static void plain(Report report, ObjectFields fields, ProcessPlugins process, int httpsPort) {
        int port = fields.requiredPort("port");
        HttpsRedirectPlugin redirect = process.httpsRedirect()
                ? HttpsRedirectPlugin.builder().port(httpsPort).build()
                : null;
        ProxyServer.Builder server = common(report, fields, "http", process, redirect)
                .protocol(Protocol.HTTP)
                .port(port);
        fields.refuseOthers();
        add(report, fields, server.build());
    }

    private static void tls(Report report, ObjectFields fields, ProcessPlugins process, int port, boolean enabled) {
        ObjectFields ssl = fields.object("ssl");
        ssl.only("type", "pem");
        String key = ssl.text("keyPath");
        String cert = ssl.text("certPath");
        ssl.refuseOthers();
        ProxyServer.Builder server = common(report, fields, "https", process, null);
        fields.refuseOthers();
        if (key == null || cert == null) {
            Mismatch detail = Mismatch.of("keyPath or certPath is absent", "the paths of two PEM files");
            if (enabled) {
                report.error(ssl.pointer(), detail);
            } else {
                report.warning(fields.pointer(), "left out, since it is not enabled and " + detail);
            }
            return;
        }
        add(
                report,
                fields,
                server.protocol(Protocol.HTTPS)
                        .enabled(enabled)
                        .port(port)
                        .tls(ServerTls.builder()
                                .certPath(report.resolve(cert))
                                .keyPath(report.resolve(key))
                                .build())
                        .build());
    }

    private static void add(Report report, ObjectFields fields, ProxyServer server) {
        report.add(Kind.PROXY_SERVER, server.id(), fields.pointer(), server);
    }

    private static ProxyServer.Builder common(
            Report report,
            ObjectFields fields,
            String defaultId,
            ProcessPlugins process,
            @Nullable HttpsRedirectPlugin redirect) {
        Map<String, String> labels = new LinkedHashMap<>();
        fields.keep("server-id", labels, "kept as a label; it changes nothing");
        String id = fields.text("id");
        return ProxyServer.builder()
                .id(id == null ? defaultId : id)
                .description(fields.text("desc"))
                .labels(labels)
                .plugins(plugins(report, fields.object("plugin"), process, redirect));
    }

    private static @Nullable Plugins plugins(
            Report report, ObjectFields fields, ProcessPlugins process, @Nullable HttpsRedirectPlugin redirect) {
        GzipPlugin gzip = fields.has("gzip") ? gzip(report, fields.object("gzip")) : null;
        StaticResourcesPlugin statics =
                fields.has("static-resources") ? statics(report, fields.object("static-resources")) : null;
        fields.refuseOthers();
        AccessLogPlugin log = process.accessLog()
                ? null
                : AccessLogPlugin.builder().enabled(false).build();
        if (gzip == null && statics == null && redirect == null && log == null) {
            return null;
        }
        return Plugins.builder()
                .gzip(gzip)
                .staticResources(statics)
                .httpsRedirect(redirect)
                .accessLog(log)
                .build();
    }

    private static GzipPlugin gzip(Report report, ObjectFields fields) {
        fixed(report, fields, "window-bits", JAVA_WINDOW_BITS, 9, 15);
        fixed(report, fields, "mem-level", JAVA_MEM_LEVEL, 1, 9);
        GzipPlugin gzip = GzipPlugin.builder()
                .enabled(fields.bool("enable", false))
                .level(fields.integer("compression-level", 6, 1, 9))
                .build();
        fields.refuseOthers();
        return gzip;
    }

    /** Reads what the format has and Java's zlib does not let anybody choose. */
    private static void fixed(Report report, ObjectFields fields, String name, int value, int min, int max) {
        int asked = fields.integer(name, value, min, max);
        if (asked != value) {
            report.warning(fields.pointer() + "/" + name, asked + " has no effect (it is always " + value + ")");
        }
    }

    private static @Nullable StaticResourcesPlugin statics(Report report, ObjectFields fields) {
        boolean enabled = fields.bool("enable", false);
        String pattern = fields.text("url-pattern");
        String root = enabled ? fields.requiredText("root-path") : fields.text("root-path");
        fields.refuseOthers();
        if (root == null) {
            return null;
        }
        return StaticResourcesPlugin.builder()
                .enabled(enabled)
                .rootPath(report.resolve(root))
                .urlPattern(pattern)
                .build();
    }
}
