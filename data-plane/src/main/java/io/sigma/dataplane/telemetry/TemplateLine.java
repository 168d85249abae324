package io.sigma.dataplane.telemetry;

import io.sigma.value.LogTemplate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a line of a record by a template. What is absent is a dash; quotes, backslashes and whatever is not printable
 * ASCII are escaped as nginx does, so that no line can be broken. Confined to one event loop.
 */
final class TemplateLine implements LogTemplate.Line {

    private static final int MILLIS = 1000;
    private static final long MILLI_NANOS = 1_000_000;

    private final AccessRecord log;
    private final LineBuffer line;
    private final LogTime time;

    TemplateLine(AccessRecord log, LineBuffer line, LogTime time) {
        this.log = log;
        this.line = line;
        this.time = time;
    }

    /** Appends what the record has as a line. */
    void write(LogTemplate template) {
        template.expand(this);
        line.put('\n');
    }

    @Override
    public void literal(String text) {
        line.ascii(text);
    }

    /** Leaves out what follows when the line is long: a template may have the same text of a client many times. */
    @Override
    public void value(LogTemplate.Variable variable) {
        if (line.isLong()) {
            return;
        }
        switch (variable) {
            case ATTEMPTS -> line.number(log.attempts);
            case BODY_BYTES_SENT -> line.number(log.bytesOut);
            case BYTES_RECEIVED -> line.number(log.bytesIn);
            case CLIENT_ADDR -> text(log.clientAddress);
            case CONSUMER -> text(log.consumer);
            case ERROR -> text(log.error);
            case HOST -> text(log.host);
            case HTTP_REFERER -> text(log.referer);
            case HTTP_USER_AGENT -> text(log.userAgent);
            case MSEC -> seconds(log.epochMillis);
            case NODE -> text(log.node);
            case PROTOCOL -> text(log.protocol);
            case PROXY_PASS -> text(log.proxyPass);
            case PROXY_SERVER -> text(log.proxyServer);
            case QUERY -> text(log.query);
            case REMOTE_ADDR -> text(log.remoteAddress);
            case REMOTE_PORT -> line.number(log.remotePort);
            case REQUEST -> request();
            case REQUEST_ID -> text(log.requestId);
            case REQUEST_METHOD -> text(log.method);
            case REQUEST_TIME -> seconds(log.totalNanos / MILLI_NANOS);
            case ROUTE -> text(log.route);
            case ROUTER -> text(log.router);
            case SSL_CLIENT_S_DN -> text(log.clientSubject);
            case SSL_CLIENT_VERIFY -> text(log.clientVerify);
            case STATUS -> line.number(log.status);
            case TIME_ISO8601 -> time.iso(line, log.epochMillis);
            case TIME_LOCAL -> time.local(line, log.epochMillis);
            case UPSTREAM -> text(log.upstream);
            case UPSTREAM_CONNECT_TIME -> upstream(log.connectNanos);
            case UPSTREAM_HEADER_TIME -> upstream(log.firstByteNanos);
            case URI -> text(log.path);
        }
    }

    private void request() {
        line.escaped(log.method);
        line.put(' ');
        line.escaped(log.path);
        if (log.query != null) {
            line.put('?');
            line.escaped(log.query);
        }
        line.put(' ');
        line.escaped(log.protocol);
    }

    private void upstream(long nanos) {
        if (nanos > 0) {
            seconds(nanos / MILLI_NANOS);
        } else {
            line.put('-');
        }
    }

    private void seconds(long millis) {
        line.number(millis / MILLIS);
        line.put('.');
        line.threeDigits((int) (millis % MILLIS));
    }

    private void text(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            line.put('-');
        } else {
            line.escaped(value);
        }
    }
}
