package io.sigma.controlplane.api;

import io.sigma.controlplane.api.request.Encodings;
import io.sigma.controlplane.api.request.Responses;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard's files from the class path, {@code webroot/}. Any other path that a browser navigates to is answered
 * with {@code index.html}, where the dashboard's own router takes over.
 */
final class Dashboard {

    private static final String ROOT = "/webroot";
    private static final String INDEX = "/index.html";

    /** The folder of the files that Vite names by their content, such as {@code assets/index-B2x9_kQa.js}. */
    private static final String ASSETS = "/assets/";

    private static final int HASH_CHARS_MIN = 8;
    private static final int FILE_CHARS_MAX = 256;

    /** The files that were requested before, by path; shared by all requests. Bounded by the files of the build. */
    private static final Map<String, byte[]> FILES = new ConcurrentHashMap<>();

    /** The codings of the build's compressed files, with their suffixes; the best is first. */
    private static final List<Map.Entry<String, String>> CODINGS =
            List.of(Map.entry(Encodings.BROTLI, ".br"), Map.entry(Encodings.GZIP, ".gz"));

    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("js", "text/javascript; charset=utf-8"),
            Map.entry("css", "text/css; charset=utf-8"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("png", "image/png"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("json", "application/json"),
            Map.entry("map", "application/json"),
            Map.entry("txt", "text/plain; charset=utf-8"),
            Map.entry("webmanifest", "application/manifest+json"));

    private static final String POLICY = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline';"
            + " img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

    private static final String NOT_BUILT = """
            <!doctype html>
            <html lang="en">
            <title>Sigma</title>
            <h1>Sigma</h1>
            <p>The admin API is at <a href="/api/v1/health">/api/v1</a>. This build is without the dashboard:
            build it with <code>make dist</code>.</p>
            </html>
            """;

    /** Answers a request that is not for the API. */
    void handle(RoutingContext context) {
        HttpMethod method = context.request().method();
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            throw new FailureException(new Failure.MethodNotAllowed(method.name(), "GET, HEAD"));
        }
        String path = context.normalizedPath();
        byte[] file = path.equals("/") ? null : file(path);
        if (file != null) {
            boolean hashed = isHashed(path);
            send(context, path, hashed ? "public, max-age=31536000, immutable" : "no-cache", file);
            return;
        }
        String accept = context.request().getHeader(HttpHeaders.ACCEPT);
        boolean page = path.equals("/") || (accept != null && accept.contains("text/html"));
        if (!page) {
            throw new FailureException(new Failure.NotFound("Nothing exists at this path."));
        }
        byte[] index = file(INDEX);
        send(context, INDEX, "no-cache", index == null ? NOT_BUILT.getBytes(StandardCharsets.UTF_8) : index);
    }

    private static void send(RoutingContext context, String name, String cacheControl, byte[] plain) {
        HttpServerResponse response = context.response();
        byte[] content = plain;
        String accepted = context.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
        for (Map.Entry<String, String> coding : CODINGS) {
            byte[] compressed = Encodings.accepts(accepted, coding.getKey()) ? loaded(name + coding.getValue()) : null;
            if (compressed != null) {
                content = compressed;
                response.putHeader(HttpHeaders.CONTENT_ENCODING, coding.getKey());
                break;
            }
        }
        response.putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                .putHeader(HttpHeaders.CONTENT_TYPE, TYPES.get(suffix(name)))
                .putHeader(HttpHeaders.CACHE_CONTROL, cacheControl)
                .putHeader("Content-Security-Policy", POLICY)
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("X-Content-Type-Options", "nosniff");
        if (context.request().method().equals(HttpMethod.HEAD)) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(content.length))
                    .end();
        } else {
            Responses.end(response, content);
        }
    }

    private static byte @Nullable [] file(String path) {
        return isFile(path) && TYPES.containsKey(suffix(path)) ? loaded(path) : null;
    }

    private static byte @Nullable [] loaded(String path) {
        byte[] known = FILES.get(path);
        if (known != null) {
            return known;
        }
        try (InputStream in = Dashboard.class.getResourceAsStream(ROOT + path)) {
            if (in == null) {
                return null;
            }
            byte[] content = in.readAllBytes();
            FILES.put(path, content);
            return content;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns whether a path may be a file: no "..", no hidden files, so that folders of the class path cannot be
     * listed.
     */
    static boolean isFile(String path) {
        if (path.length() > FILE_CHARS_MAX || !path.startsWith("/") || path.endsWith("/")) {
            return false;
        }
        for (int i = 1; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean plain = c == '_' || (c < 0x80 && Character.isLetterOrDigit(c));
            boolean within = path.charAt(i - 1) != '/' && (c == '/' || c == '.' || c == '-');
            if (!plain && !within) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the name of a file holds the hash of its content. */
    static boolean isHashed(String path) {
        int dot = path.lastIndexOf('.');
        if (!path.startsWith(ASSETS) || dot < 0) {
            return false;
        }
        int dash = path.lastIndexOf('-', dot - 1 - HASH_CHARS_MIN);
        return dash > ASSETS.length() && path.indexOf('/', dash) < 0;
    }

    private static String suffix(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
