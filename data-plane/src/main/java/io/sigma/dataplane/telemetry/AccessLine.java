package io.sigma.dataplane.telemetry;

import io.sigma.value.LogTemplate;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Writes records, one a line, as JSON or by a template. Everything outside printable ASCII is escaped, so that no line can be broken, no
 * terminal driven and no invalid UTF-8 passed on. Confined to the writer's thread.
 */
final class AccessLine {

    private static final String HEX = "0123456789abcdef";

    private final StringBuilder line = new StringBuilder(512);

    /** Appends {@code log} as one line to {@code out}. */
    void write(AccessRecord log, ByteArrayOutputStream out) {
        line.setLength(0);
        LogTemplate template = log.target().template();
        if (template == null) {
            json(log);
        } else {
            template.expand(line, variable -> LogVariables.of(variable, log));
        }
        line.append('\n');
        byte[] bytes = line.toString().getBytes(StandardCharsets.US_ASCII);
        out.write(bytes, 0, bytes.length);
    }

    private void json(AccessRecord log) {
        line.append("{\"time\":\"")
                .append(Instant.ofEpochMilli(log.epochMillis()))
                .append('"');
        text("proxyServer", log.proxyServer());
        text("router", log.router());
        text("route", log.route());
        text("proxyPass", log.proxyPass());
        text("upstream", log.upstream());
        text("node", log.node());
        text("protocol", log.protocol());
        text("method", log.method());
        text("host", log.host());
        text("path", log.path());
        number("status", log.status());
        if (log.attempts() > 1) {
            number("attempts", log.attempts());
        }
        number("bytesIn", log.bytesIn());
        number("bytesOut", log.bytesOut());
        number("durationMicros", log.totalNanos() / 1000);
        if (log.connectNanos() > 0) {
            number("upstreamConnectMicros", log.connectNanos() / 1000);
        }
        if (log.firstByteNanos() > 0) {
            number("upstreamFirstByteMicros", log.firstByteNanos() / 1000);
        }
        text("remoteAddress", log.remoteAddress());
        number("remotePort", log.remotePort());
        if (!log.clientAddress().equals(log.remoteAddress())) {
            text("clientAddress", log.clientAddress());
        }
        text("clientSubject", log.clientSubject());
        text("clientVerify", log.clientVerify());
        text("consumer", log.consumer());
        text("requestId", log.requestId());
        text("userAgent", log.userAgent());
        text("error", log.error());
        line.append('}');
    }

    private void number(String name, long value) {
        line.append(",\"").append(name).append("\":").append(value);
    }

    private void text(String name, @Nullable String value) {
        if (value == null) {
            return;
        }
        line.append(",\"").append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                line.append(c);
            } else {
                line.append("\\u")
                        .append(HEX.charAt(c >> 12))
                        .append(HEX.charAt(c >> 8 & 15))
                        .append(HEX.charAt(c >> 4 & 15))
                        .append(HEX.charAt(c & 15));
            }
        }
        line.append('"');
    }
}
