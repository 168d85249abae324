package io.sigma.dataplane.telemetry;

import io.sigma.value.LogTemplate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the variables of a template stand for. What is absent is a dash; quotes, backslashes and whatever is not printable ASCII
 * are escaped as nginx does, so that no line can be broken. Pure.
 */
final class LogVariables {

    private static final String HEX = "0123456789ABCDEF";
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private LogVariables() {}

    static String of(LogTemplate.Variable variable, AccessRecord log) {
        return switch (variable) {
            case ATTEMPTS -> String.valueOf(log.attempts());
            case BODY_BYTES_SENT -> String.valueOf(log.bytesOut());
            case BYTES_RECEIVED -> String.valueOf(log.bytesIn());
            case CLIENT_ADDR -> text(log.clientAddress());
            case CONSUMER -> text(log.consumer());
            case ERROR -> text(log.error());
            case HOST -> text(log.host());
            case HTTP_REFERER -> text(log.referer());
            case HTTP_USER_AGENT -> text(log.userAgent());
            case MSEC -> seconds(log.epochMillis());
            case NODE -> text(log.node());
            case PROTOCOL -> text(log.protocol());
            case PROXY_PASS -> text(log.proxyPass());
            case PROXY_SERVER -> text(log.proxyServer());
            case QUERY -> text(log.query());
            case REMOTE_ADDR -> text(log.remoteAddress());
            case REMOTE_PORT -> String.valueOf(log.remotePort());
            case REQUEST -> text(log.method() + " " + target(log) + " " + log.protocol());
            case REQUEST_ID -> text(log.requestId());
            case REQUEST_METHOD -> text(log.method());
            case REQUEST_TIME -> seconds(log.totalNanos() / 1_000_000);
            case ROUTE -> text(log.route());
            case ROUTER -> text(log.router());
            case SSL_CLIENT_S_DN -> text(log.clientSubject());
            case SSL_CLIENT_VERIFY -> text(log.clientVerify());
            case STATUS -> String.valueOf(log.status());
            case TIME_ISO8601 -> Instant.ofEpochMilli(log.epochMillis()).toString();
            case TIME_LOCAL -> LOCAL.format(Instant.ofEpochMilli(log.epochMillis()));
            case UPSTREAM -> text(log.upstream());
            case UPSTREAM_CONNECT_TIME -> log.connectNanos() > 0 ? seconds(log.connectNanos() / 1_000_000) : "-";
            case UPSTREAM_HEADER_TIME -> log.firstByteNanos() > 0 ? seconds(log.firstByteNanos() / 1_000_000) : "-";
            case URI -> text(log.path());
        };
    }

    private static String target(AccessRecord log) {
        return log.query() == null ? log.path() : log.path() + "?" + log.query();
    }

    private static String seconds(long millis) {
        return millis / 1000 + "." + String.valueOf(1000 + millis % 1000).substring(1);
    }

    private static String text(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            return "-";
        }
        StringBuilder out = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
                out.append(c);
            } else {
                out.append("\\x");
                if (c > 0xff) {
                    out.append(HEX.charAt(c >> 12))
                            .append(HEX.charAt((c >> 8) & 15))
                            .append("\\x");
                }
                out.append(HEX.charAt((c >> 4) & 15)).append(HEX.charAt(c & 15));
            }
        }
        return out.toString();
    }
}
