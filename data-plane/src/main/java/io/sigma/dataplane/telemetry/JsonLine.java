package io.sigma.dataplane.telemetry;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Makes a line of JSON of a record. Everything outside printable ASCII is escaped, so that no line can be broken, no
 * terminal driven and no invalid UTF-8 passed on. Confined to one event loop.
 */
final class JsonLine {

    // The separators between two values: the quote that ends a text, the name of the next one, and the quote that
    // begins it.
    private static final byte[] TIME = ascii("{\"time\":\"");
    private static final byte[] PROTOCOL = ascii("\",\"protocol\":\"");
    private static final byte[] METHOD = ascii("\",\"method\":\"");
    private static final byte[] HOST = ascii("\",\"host\":\"");
    private static final byte[] PATH = ascii("\",\"path\":\"");
    private static final byte[] STATUS = ascii("\",\"status\":");
    private static final byte[] RPC_STATUS = ascii(",\"rpcStatus\":");
    private static final byte[] ATTEMPTS = ascii(",\"attempts\":");
    private static final byte[] BYTES_IN = ascii(",\"bytesIn\":");
    private static final byte[] BYTES_OUT = ascii(",\"bytesOut\":");
    private static final byte[] DURATION = ascii(",\"durationMicros\":");
    private static final byte[] CONNECT = ascii(",\"upstreamConnectMicros\":");
    private static final byte[] FIRST_BYTE = ascii(",\"upstreamFirstByteMicros\":");
    private static final byte[] REMOTE_ADDRESS = ascii(",\"remoteAddress\":\"");
    private static final byte[] REMOTE_PORT = ascii("\",\"remotePort\":");
    private static final byte[] CLIENT_ADDRESS = ascii(",\"clientAddress\":\"");
    private static final byte[] CLIENT_SUBJECT = ascii(",\"clientSubject\":\"");
    private static final byte[] CLIENT_VERIFY = ascii(",\"clientVerify\":\"");
    private static final byte[] CONSUMER = ascii(",\"consumer\":\"");
    private static final byte[] REQUEST_ID = ascii(",\"requestId\":\"");
    private static final byte[] USER_AGENT = ascii(",\"userAgent\":\"");
    private static final byte[] ERROR = ascii(",\"error\":\"");
    private static final byte[] STREAM_END = ascii("\",\"end\":\"");
    private static final byte[] REVISION = ascii("\",\"revision\":");
    private static final byte[] SERVER_NAME = ascii(",\"serverName\":\"");
    private static final byte[] DATAGRAMS_IN = ascii(",\"datagramsIn\":");
    private static final byte[] DATAGRAMS_OUT = ascii(",\"datagramsOut\":");
    private static final byte[] END = ascii("}\n");

    private final AccessRecord log;
    private final LineBuffer line;
    private final LogTime time;
    private final ChosenTexts chosen = new ChosenTexts();

    JsonLine(AccessRecord log, LineBuffer line, LogTime time) {
        this.log = log;
        this.line = line;
        this.time = time;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Appends what the record has as a line. */
    void write() {
        line.put(TIME);
        time.iso(line, log.epochMillis);
        chosen.write(log, line);
        line.put(PROTOCOL);
        line.json(log.protocol);
        if (log.end == null) {
            line.put(METHOD);
            line.json(log.method);
            line.put(HOST);
            line.json(log.host);
            line.put(PATH);
            line.json(log.path);
            line.put(STATUS);
            line.number(log.status);
            if (log.rpcStatus >= 0) {
                line.put(RPC_STATUS);
                line.number(log.rpcStatus);
            }
        } else {
            line.put(STREAM_END);
            line.json(log.end);
            line.put(REVISION);
            line.number(log.revision);
            text(SERVER_NAME, log.host.isEmpty() ? null : log.host);
            datagrams();
        }
        numbers();
        line.put(REMOTE_ADDRESS);
        line.json(log.remoteAddress);
        line.put(REMOTE_PORT);
        line.number(log.remotePort);
        if (!log.clientAddress.equals(log.remoteAddress)) {
            text(CLIENT_ADDRESS, log.clientAddress);
        }
        text(CLIENT_SUBJECT, log.clientSubject);
        text(CLIENT_VERIFY, log.clientVerify);
        text(CONSUMER, log.consumer);
        text(REQUEST_ID, log.requestId);
        text(USER_AGENT, log.userAgent);
        text(ERROR, log.error);
        line.put(END);
    }

    private void datagrams() {
        if (log.datagramsIn >= 0) {
            line.put(DATAGRAMS_IN);
            line.number(log.datagramsIn);
            line.put(DATAGRAMS_OUT);
            line.number(log.datagramsOut);
        }
    }

    private void numbers() {
        if (log.attempts > 1) {
            line.put(ATTEMPTS);
            line.number(log.attempts);
        }
        line.put(BYTES_IN);
        line.number(log.bytesIn);
        line.put(BYTES_OUT);
        line.number(log.bytesOut);
        line.put(DURATION);
        line.number(log.totalNanos / 1000);
        if (log.connectNanos > 0) {
            line.put(CONNECT);
            line.number(log.connectNanos / 1000);
        }
        if (log.firstByteNanos > 0) {
            line.put(FIRST_BYTE);
            line.number(log.firstByteNanos / 1000);
        }
    }

    private void text(byte[] name, @Nullable String value) {
        if (value != null) {
            line.put(name);
            line.json(value);
            line.put('"');
        }
    }
}
