package io.sigma.dataplane.flow;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.exchange.rule.Grpc;
import io.sigma.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The one place where failures become answers: HTML, plain text or problem details (RFC 9457), as the client prefers,
 * or a status of gRPC. Details of nodes are never shown. Immutable.
 */
public final class ErrorResponder {

    private enum Format {
        TEXT("text/plain; charset=utf-8"),
        HTML("text/html; charset=utf-8"),
        PROBLEM("application/problem+json");

        private final String contentType;

        Format(String contentType) {
            this.contentType = contentType;
        }
    }

    private static final byte[] NO_BODY = new byte[0];

    private final Map<ErrorKind, Map<Format, byte[]>> bodies = new EnumMap<>(ErrorKind.class);

    public ErrorResponder() {
        for (ErrorKind kind : ErrorKind.values()) {
            Map<Format, byte[]> formats = new EnumMap<>(Format.class);
            formats.put(Format.TEXT, text(kind).getBytes(StandardCharsets.UTF_8));
            formats.put(Format.HTML, html(kind).getBytes(StandardCharsets.UTF_8));
            formats.put(Format.PROBLEM, problem(kind));
            bodies.put(kind, formats);
        }
    }

    /**
     * Sets status and content type of {@code head} and returns the body. A call of gRPC is told a status of gRPC,
     * without a body.
     *
     * @param request its fields choose the format, or a status of gRPC
     */
    public byte[] prepare(ErrorKind kind, Fields request, ResponseHead head) {
        if (Grpc.isCall(request)) {
            Grpc.prepare(kind, head);
            return NO_BODY;
        }
        Format format = negotiate(request.all("accept"));
        head.status(kind.status());
        head.fields().set("content-type", format.contentType);
        head.fields().set("cache-control", "no-store");
        if (kind.isOverload()) {
            head.fields().set("retry-after", "1");
        }
        if (kind == ErrorKind.WEBSOCKET_VERSION) {
            head.fields().set("connection", "Upgrade");
            head.fields().set("upgrade", "websocket");
            head.fields().set("sec-websocket-version", "13");
        }
        byte[] body = bodies.getOrDefault(kind, Map.of()).get(format);
        return body == null ? NO_BODY : body;
    }

    /** Returns the format with the highest weight; plain text when nothing is said. */
    private static Format negotiate(List<String> accept) {
        Format best = Format.TEXT;
        double bestWeight = 0;
        for (String field : accept) {
            for (String item : field.split(",", -1)) {
                int semicolon = item.indexOf(';');
                String type = (semicolon < 0 ? item : item.substring(0, semicolon))
                        .strip()
                        .toLowerCase(Locale.ROOT);
                double weight = semicolon < 0 ? 1 : weight(item.substring(semicolon + 1));
                Format format = format(type);
                if (format != null && weight > bestWeight) {
                    best = format;
                    bestWeight = weight;
                }
            }
        }
        return best;
    }

    private static @org.jspecify.annotations.Nullable Format format(String type) {
        return switch (type) {
            case "text/html", "application/xhtml+xml" -> Format.HTML;
            case "application/problem+json", "application/json", "application/*" -> Format.PROBLEM;
            case "text/plain", "text/*", "*/*" -> Format.TEXT;
            default -> type.endsWith("+json") ? Format.PROBLEM : null;
        };
    }

    private static double weight(String parameters) {
        for (String parameter : parameters.split(";", -1)) {
            String bare = parameter.strip();
            if (bare.startsWith("q=")) {
                try {
                    return Double.parseDouble(bare.substring(2));
                } catch (NumberFormatException e) {
                    return 0;
                }
            }
        }
        return 1;
    }

    private static String text(ErrorKind kind) {
        return kind.status() + " " + kind.title() + "\n" + kind.detail() + "\n";
    }

    private static String html(ErrorKind kind) {
        String title = kind.status() + " " + kind.title();
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title
                + "</title></head>\n<body><h1>" + title + "</h1><p>" + kind.detail() + "</p></body></html>\n";
    }

    private static byte[] problem(ErrorKind kind) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("type", "about:blank");
        problem.put("title", kind.title());
        problem.put("status", kind.status());
        problem.put("detail", kind.detail());
        return Json.bytes(problem);
    }
}
