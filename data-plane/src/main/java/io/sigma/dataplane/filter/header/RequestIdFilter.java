package io.sigma.dataplane.filter.header;

import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.RequestIdPlugin;

/** Gives each request an id, for the node, the access log and the client. */
public final class RequestIdFilter implements Filter {

    private static final int LENGTH_MAX = 128;
    private static final String PUNCTUATION = "._:/+=-";

    private final FilterServices services;
    private final String header;
    private final boolean trustIncoming;
    private final boolean echo;

    public RequestIdFilter(RequestIdPlugin plugin, FilterServices services) {
        this.services = services;
        this.header = plugin.header();
        this.trustIncoming = plugin.trustIncoming();
        this.echo = plugin.echo();
    }

    @Override
    public boolean isPure() {
        return true;
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        String sent = trustIncoming ? exchange.request().fields().get(header) : null;
        String id = sent != null && isId(sent)
                ? sent
                : UuidV7.of(services.clock().millis(), services.random().get()).toString();
        exchange.request().fields().set(header, id);
        exchange.put(Attributes.REQUEST_ID, id);
        return Verdict.CONTINUE;
    }

    private static boolean isId(String text) {
        return !text.isEmpty() && text.length() <= LENGTH_MAX && text.chars().allMatch(RequestIdFilter::isIdCharacter);
    }

    private static boolean isIdCharacter(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || PUNCTUATION.indexOf(c) >= 0;
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        String id = exchange.get(Attributes.REQUEST_ID);
        if (echo && id != null) {
            head.fields().set(header, id);
        }
    }
}
