package io.sigma.dataplane.telemetry;

import io.sigma.value.LogTemplate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lines of records made the plain way, with what the JDK has. */
final class LineReference {

    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private LineReference() {}

    static String json(AccessRecord log) {
        StringBuilder line = new StringBuilder();
        line.append("{\"time\":\"")
                .append(Instant.ofEpochMilli(log.epochMillis))
                .append('"');
        text(line, "proxyServer", log.proxyServer);
        text(line, "router", log.router);
        text(line, "route", log.route);
        text(line, "proxyPass", log.proxyPass);
        text(line, "upstream", log.upstream);
        text(line, "node", log.node);
        text(line, "protocol", log.protocol);
        text(line, "method", log.method);
        text(line, "host", log.host);
        text(line, "path", log.path);
        number(line, "status", log.status);
        if (log.attempts > 1) {
            number(line, "attempts", log.attempts);
        }
        number(line, "bytesIn", log.bytesIn);
        number(line, "bytesOut", log.bytesOut);
        number(line, "durationMicros", log.totalNanos / 1000);
        if (log.connectNanos > 0) {
            number(line, "upstreamConnectMicros", log.connectNanos / 1000);
        }
        if (log.firstByteNanos > 0) {
            number(line, "upstreamFirstByteMicros", log.firstByteNanos / 1000);
        }
        text(line, "remoteAddress", log.remoteAddress);
        number(line, "remotePort", log.remotePort);
        if (!log.clientAddress.equals(log.remoteAddress)) {
            text(line, "clientAddress", log.clientAddress);
        }
        text(line, "clientSubject", log.clientSubject);
        text(line, "clientVerify", log.clientVerify);
        text(line, "consumer", log.consumer);
        text(line, "requestId", log.requestId);
        text(line, "userAgent", log.userAgent);
        text(line, "error", log.error);
        return line.append("}\n").toString();
    }

    private static void number(StringBuilder line, String name, long value) {
        line.append(",\"").append(name).append("\":").append(value);
    }

    private static void text(StringBuilder line, String name, @Nullable String value) {
        if (value != null) {
            line.append(",\"").append(name).append("\":\"");
            value.chars().forEach(c -> {
                if (c == '"' || c == '\\') {
                    line.append('\\').append((char) c);
                } else if (c >= ' ' && c < 0x7f) {
                    line.append((char) c);
                } else {
                    line.append(String.format("\\u%04x", c));
                }
            });
            line.append('"');
        }
    }

    static String text(LogTemplate template, AccessRecord log) {
        StringBuilder line = new StringBuilder();
        template.expand(new LogTemplate.Line() {
            @Override
            public void literal(String text) {
                line.append(text);
            }

            @Override
            public void value(LogTemplate.Variable variable) {
                line.append(LineReference.value(variable, log));
            }
        });
        return line.append('\n').toString();
    }

    private static String value(LogTemplate.Variable variable, AccessRecord log) {
        return switch (variable) {
            case ATTEMPTS -> String.valueOf(log.attempts);
            case BODY_BYTES_SENT -> String.valueOf(log.bytesOut);
            case BYTES_RECEIVED -> String.valueOf(log.bytesIn);
            case CLIENT_ADDR -> escaped(log.clientAddress);
            case CONSUMER -> escaped(log.consumer);
            case ERROR -> escaped(log.error);
            case HOST -> escaped(log.host);
            case HTTP_REFERER -> escaped(log.referer);
            case HTTP_USER_AGENT -> escaped(log.userAgent);
            case MSEC -> seconds(log.epochMillis);
            case NODE -> escaped(log.node);
            case PROTOCOL -> escaped(log.protocol);
            case PROXY_PASS -> escaped(log.proxyPass);
            case PROXY_SERVER -> escaped(log.proxyServer);
            case QUERY -> escaped(log.query);
            case REMOTE_ADDR -> escaped(log.remoteAddress);
            case REMOTE_PORT -> String.valueOf(log.remotePort);
            case REQUEST -> escaped(log.method + " " + target(log) + " " + log.protocol);
            case REQUEST_ID -> escaped(log.requestId);
            case REQUEST_METHOD -> escaped(log.method);
            case REQUEST_TIME -> seconds(log.totalNanos / 1_000_000);
            case ROUTE -> escaped(log.route);
            case ROUTER -> escaped(log.router);
            case SSL_CLIENT_S_DN -> escaped(log.clientSubject);
            case SSL_CLIENT_VERIFY -> escaped(log.clientVerify);
            case STATUS -> String.valueOf(log.status);
            case TIME_ISO8601 -> Instant.ofEpochMilli(log.epochMillis).toString();
            case TIME_LOCAL -> LOCAL.format(Instant.ofEpochMilli(log.epochMillis));
            case UPSTREAM -> escaped(log.upstream);
            case UPSTREAM_CONNECT_TIME -> log.connectNanos > 0 ? seconds(log.connectNanos / 1_000_000) : "-";
            case UPSTREAM_HEADER_TIME -> log.firstByteNanos > 0 ? seconds(log.firstByteNanos / 1_000_000) : "-";
            case URI -> escaped(log.path);
        };
    }

    private static String target(AccessRecord log) {
        return log.query == null ? log.path : log.path + "?" + log.query;
    }

    private static String seconds(long millis) {
        return String.format("%d.%03d", millis / 1000, millis % 1000);
    }

    private static String escaped(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            return "-";
        }
        StringBuilder out = new StringBuilder();
        value.chars().forEach(c -> {
            if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
                out.append((char) c);
            } else if (c > 0xff) {
                out.append(String.format("\\x%02X\\x%02X", c >> 8, c & 0xff));
            } else {
                out.append(String.format("\\x%02X", c));
            }
        });
        return out.toString();
    }
}
