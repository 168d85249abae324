package io.sigma.controlplane.api.request;

import io.sigma.controlplane.resource.EntityTags;
import io.sigma.json.Json;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** Writes answers of operations as responses. Stateless. */
public final class AnswerWriter {

    private AnswerWriter() {}

    /** HEAD is wherever GET is (RFC 9110 §9.3.2), though the contract names GET only. */
    public static HttpMethod asked(HttpMethod method) {
        return method.equals(HttpMethod.HEAD) ? HttpMethod.GET : method;
    }

    /** Returns whether only the head of the answer is asked for. */
    public static boolean isHead(RoutingContext context) {
        return context.request().method().equals(HttpMethod.HEAD);
    }

    /** Writes {@code answer}, without its content to who has it already or did not ask for it. */
    public static void write(RoutingContext context, Answer answer) {
        HttpServerResponse response = context.response().setStatusCode(answer.status());
        answer.headers().forEach(response::putHeader);
        if (isKnown(context, answer)) {
            response.setStatusCode(304).headers().remove(HttpHeaders.CONTENT_TYPE);
            if (!(answer.body() instanceof Answer.Streamed)) {
                vary(response, bytes(answer));
            }
            response.end();
        } else if (answer.body() instanceof Answer.Streamed streamed) {
            write(context, streamed);
        } else {
            write(context, bytes(answer));
        }
    }

    private static byte[] bytes(Answer answer) {
        return answer.body() instanceof byte[] ready ? ready : Json.bytes(answer.body());
    }

    /** A 304 says it as the 200 does (RFC 9110 §15.4.5). */
    private static void vary(HttpServerResponse response, byte[] bytes) {
        if (Encodings.isWorthIt(bytes.length)) {
            response.putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
        }
    }

    private static void write(RoutingContext context, Answer.Streamed streamed) {
        HttpServerResponse response = context.response();
        if (isHead(context)) {
            response.end();
            return;
        }
        response.setChunked(true);
        streamed.to(part -> {
            if (!Responses.written(response, response.write(part))) {
                throw new IllegalStateException("the client does not read");
            }
        });
        response.end();
    }

    private static void write(RoutingContext context, byte[] bytes) {
        HttpServerResponse response = context.response();
        if (bytes.length > 0 && !response.headers().contains(HttpHeaders.CONTENT_TYPE)) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, BodyTypes.JSON);
        }
        vary(response, bytes);
        byte[] content = bytes;
        if (Encodings.isWorthIt(bytes.length)
                && Encodings.accepts(context.request().getHeader(HttpHeaders.ACCEPT_ENCODING), Encodings.GZIP)) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, Encodings.GZIP);
            content = Encodings.gzip(bytes);
        }
        if (isHead(context)) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(content.length))
                    .end();
        } else {
            Responses.end(response, content);
        }
    }

    /** Returns whether the client has what it would be answered (RFC 9110 §13.1.2). */
    private static boolean isKnown(RoutingContext context, Answer answer) {
        String tag = answer.headers().get("ETag");
        return tag != null
                && answer.status() == 200
                && asked(context.request().method()).equals(HttpMethod.GET)
                && EntityTags.ifNoneMatch(context.request().getHeader(HttpHeaders.IF_NONE_MATCH))
                        .has(tag);
    }
}
