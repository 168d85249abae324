package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.Engine;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.tail.RequestTail;
import io.sigma.dataplane.telemetry.AccessLog;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The services that exchanges need besides their snapshot. {@code Gateway} makes it once, and every {@link
 * ExchangeHandler} uses it.
 *
 * @param tail is given the last requests
 * @param worker runs what blocks
 * @param drainMillis how long connections may go on whose node takes no more of them
 */
public record ExchangeServices(
        Engine engine,
        ErrorResponder responder,
        AccessLog accessLog,
        RequestTail tail,
        List<Loop> loops,
        MirrorLimit mirrors,
        Executor worker,
        int drainMillis) {

    /** As above, with a tail of its own. */
    public ExchangeServices(
            Engine engine,
            ErrorResponder responder,
            AccessLog accessLog,
            List<Loop> loops,
            MirrorLimit mirrors,
            Executor worker,
            int drainMillis) {
        this(engine, responder, accessLog, new RequestTail(loops.size()), loops, mirrors, worker, drainMillis);
    }
}
