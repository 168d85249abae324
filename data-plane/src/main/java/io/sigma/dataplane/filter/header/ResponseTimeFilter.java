package io.sigma.dataplane.filter.header;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.model.ResponseTimePlugin;

/** Tells the client how long it took until the head of the response. */
public final class ResponseTimeFilter implements Filter {

    private static final long NANOS_PER_MICRO = 1000;

    private final FilterServices services;
    private final String header;

    public ResponseTimeFilter(ResponseTimePlugin plugin, FilterServices services) {
        this.services = services;
        this.header = plugin.header();
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        long micros = (services.nanoTime().getAsLong() - exchange.startNanos()) / NANOS_PER_MICRO;
        head.fields().set(header, text(micros));
    }

    /** Returns milliseconds with three decimals. */
    static String text(long micros) {
        String decimals = String.valueOf(1000 + micros % 1000).substring(1);
        return micros / 1000 + "." + decimals + "ms";
    }
}
