package io.sigma.controlplane.api.request;

import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of one request into memory, within a size, a time and the budget of all bodies, and then goes on with
 * the request. It runs after credentials and role were looked at. Confined to the server's verticle.
 */
public final class BodyCollector {

    private static final String BODY = "body";
    private static final String CONTINUE = "100-continue";
    private static final int EXPECTATION_FAILED = 417;
    private static final long CHECK_MILLIS = 2_000;

    /** After so long a body must have brought {@link #BYTES_PER_SECOND_MIN} on average. */
    private static final long GRACE_SECONDS = 10;

    private static final long BYTES_PER_SECOND_MIN = 16 * 1024;

    private final Vertx vertx;
    private final RoutingContext context;
    private final int max;
    private final BodyBudget.Share share;
    private final long began = System.nanoTime();
    private Buffer body = Buffer.buffer();
    private long timer;
    private boolean over;

    private BodyCollector(Vertx vertx, RoutingContext context, int max, BodyBudget budget) {
        this.vertx = vertx;
        this.context = context;
        this.max = max;
        Principal principal = context.get(ApiNames.PRINCIPAL);
        String who = principal == null ? "" : principal.name();
        // Not at once: whoever needs the room must not wait for what is recorded of this.
        this.share = budget.begin(who, () -> vertx.runOnContext(nothing -> fail(noRoom())));
    }

    /** Returns what reads a body of at most {@code max} bytes. */
    public static Handler<RoutingContext> of(Vertx vertx, int max, BodyBudget budget) {
        return context -> {
            HttpServerRequest request = context.request();
            if (declared(request) > max) {
                throw new FailureException(new Failure.TooLarge(max));
            }
            if (declared(request) > budget.max()) {
                throw new FailureException(noRoom());
            }
            String expected = request.getHeader(HttpHeaders.EXPECT);
            if (expected != null && !CONTINUE.equalsIgnoreCase(expected)) {
                context.fail(EXPECTATION_FAILED);
                return;
            }
            new BodyCollector(vertx, context, max, budget).read(request);
        };
    }

    /** Returns the body of a request; null where it has none. */
    public static @Nullable Buffer body(RoutingContext context) {
        return context.get(BODY);
    }

    private static long declared(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        // The HTTP library has refused what is no number.
        return length == null || length.length() > 18 ? 0 : Long.parseLong(length.strip());
    }

    private static Failure noRoom() {
        return new Failure.Unavailable("Too many request bodies are in memory at once (adminBodiesBytesMax).");
    }

    private void read(HttpServerRequest request) {
        context.addEndHandler(ended -> end());
        request.exceptionHandler(gone -> end());
        request.handler(this::take);
        request.endHandler(nothing -> complete());
        timer = vertx.setPeriodic(CHECK_MILLIS, same -> check());
        if (request.getHeader(HttpHeaders.EXPECT) != null) {
            context.response().writeContinue();
        }
    }

    private void take(Buffer piece) {
        if (over) {
            return;
        }
        if (body.length() + piece.length() > max) {
            fail(new Failure.TooLarge(max));
        } else if (share.take(piece.length())) {
            body.appendBuffer(piece);
        } else {
            fail(noRoom());
        }
    }

    private void check() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) - GRACE_SECONDS;
        if (seconds > 0 && body.length() < seconds * BYTES_PER_SECOND_MIN) {
            fail(new Failure.TooSlow(BYTES_PER_SECOND_MIN));
        }
    }

    private void complete() {
        if (!over) {
            vertx.cancelTimer(timer);
            share.complete();
            context.put(BODY, body);
            context.next();
        }
    }

    private void fail(Failure failure) {
        if (!over) {
            end();
            // The rest of the body is not read.
            context.response().putHeader(HttpHeaders.CONNECTION, "close");
            context.fail(new FailureException(failure));
        }
    }

    private void end() {
        over = true;
        body = Buffer.buffer();
        vertx.cancelTimer(timer);
        share.release();
    }
}
