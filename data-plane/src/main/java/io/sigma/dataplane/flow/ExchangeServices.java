package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.Engine;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.telemetry.AccessLog;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * What exchanges need besides their snapshot. {@code Gateway} makes it once, and every {@link ExchangeHandler} uses
 * it.
 *
 * @param worker runs what blocks
 * @param drainMillis how long connections may go on whose node takes no more of them
 */
public record ExchangeServices(
        Engine engine,
        ErrorResponder responder,
        AccessLog accessLog,
        List<Loop> loops,
        MirrorLimit mirrors,
        Executor worker,
        int drainMillis) {}
