package io.sigma.dataplane.engine.node;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The two messages of {@code grpc.health.v1.Health/Check}, by hand: {@code HealthCheckRequest { string service = 1; }}
 * and {@code HealthCheckResponse { ServingStatus status = 1; }}.
 */
final class GrpcHealth {

    private static final int PREFIX_BYTES = 5;
    private static final int SERVICE = 1 << 3 | 2;
    private static final int STATUS = 1 << 3;
    private static final int SERVING = 1;
    private static final String[] NAMES = {"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"};

    private GrpcHealth() {}

    /** Returns the framed request. */
    static Buffer request(String service) {
        byte[] name = service.getBytes(StandardCharsets.UTF_8);
        Buffer message = Buffer.buffer();
        if (name.length > 0) {
            message.appendByte((byte) SERVICE);
            varint(message, name.length);
            message.appendBytes(name);
        }
        return Buffer.buffer().appendByte((byte) 0).appendInt(message.length()).appendBuffer(message);
    }

    private static void varint(Buffer out, int value) {
        int left = value;
        while (left >= 0x80) {
            out.appendByte((byte) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        out.appendByte((byte) left);
    }

    /** Returns null when {@code response}, which has ended, says SERVING; else why not. */
    static @Nullable String judge(HttpClientResponse response, Buffer body) {
        String status = response.trailers().get("grpc-status");
        return judge(response.statusCode(), status == null ? response.getHeader("grpc-status") : status, body);
    }

    /**
     * Returns null when an answer says SERVING; else why not.
     *
     * @param grpcStatus null for none
     */
    static @Nullable String judge(int httpStatus, @Nullable String grpcStatus, Buffer body) {
        if (httpStatus != 200) {
            return "status " + httpStatus;
        }
        if (!"0".equals(grpcStatus)) {
            return "gRPC status " + grpcStatus;
        }
        if (body.length() < PREFIX_BYTES || body.getInt(1) != body.length() - PREFIX_BYTES) {
            return "no gRPC message";
        }
        int said = servingStatus(body);
        return said == SERVING ? null : said < NAMES.length ? NAMES[said] : "serving status " + said;
    }

    /** Returns the field, 0 when it is left out as proto3 does with a zero. */
    private static int servingStatus(Buffer body) {
        boolean there = body.length() >= PREFIX_BYTES + 2 && body.getByte(PREFIX_BYTES) == STATUS;
        return there ? body.getByte(PREFIX_BYTES + 1) & 0x7f : 0;
    }
}
