package io.sigma.dataplane.filter.content;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.FaultAbort;
import io.sigma.model.FaultDelay;
import io.sigma.model.FaultInjectionPlugin;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Delays a share of the requests, and answers a share of them with an error. */
public final class FaultInjectionFilter implements Filter {

    private static final byte[] BODY = "Fault injected.\n".getBytes(StandardCharsets.US_ASCII);

    private final Supplier<RandomGenerator> random;
    private final int delayPercentage;
    private final int delayMillis;
    private final int abortPercentage;
    private final int abortStatus;

    public FaultInjectionFilter(FaultInjectionPlugin plugin, FilterServices services) {
        FaultDelay delay = plugin.delay();
        FaultAbort abort = plugin.abort();
        this.random = services.random();
        this.delayPercentage = delay == null ? 0 : delay.percentage();
        this.delayMillis = delay == null ? 0 : delay.millis();
        this.abortPercentage = abort == null ? 0 : abort.percentage();
        this.abortStatus = abort == null ? 0 : abort.status();
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        boolean delays = hits(delayPercentage);
        boolean aborts = hits(abortPercentage);
        if (!delays) {
            return aborts ? abort(exchange, replies) : Verdict.CONTINUE;
        }
        replies.after(delayMillis, () -> {
            if (aborts) {
                abort(exchange, replies);
            } else {
                replies.proceed();
            }
        });
        return Verdict.TAKEN;
    }

    private Verdict abort(Exchange exchange, Replies replies) {
        exchange.fail(GatewayError.gateway(ErrorKind.FAULT_INJECTED, null));
        ResponseHead head = exchange.downstream().head(abortStatus);
        head.fields().set("content-type", "text/plain; charset=utf-8");
        replies.answer(head, BODY);
        return Verdict.TAKEN;
    }

    private boolean hits(int percentage) {
        return percentage > 0 && random.get().nextInt(100) < percentage;
    }
}
