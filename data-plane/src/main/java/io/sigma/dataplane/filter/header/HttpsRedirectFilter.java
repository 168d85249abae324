package io.sigma.dataplane.filter.header;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.RequestTarget;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.HttpsRedirectPlugin;

/** Answers plaintext requests with a redirect to https, on the port that is configured. */
public final class HttpsRedirectFilter implements Filter {

    private static final int DEFAULT_PORT = 443;
    private static final byte[] NO_BODY = new byte[0];

    private final int status;
    private final String port;

    public HttpsRedirectFilter(HttpsRedirectPlugin plugin) {
        this.status = plugin.status();
        this.port = plugin.port() == DEFAULT_PORT ? "" : ":" + plugin.port();
    }

    @Override
    public boolean isPure() {
        return true;
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        RequestHead request = exchange.request();
        if (exchange.tls()) {
            return Verdict.CONTINUE;
        }
        if (exchange.host().isEmpty()) {
            // Whoever names no host on HTTP/1.0 cannot be told where it is; an address of the gateway would only give
            // that away.
            replies.fail(ErrorKind.BAD_REQUEST);
            return Verdict.TAKEN;
        }
        String target = RequestTarget.isWhole(request.path()) ? "" : request.target();
        ResponseHead head = exchange.downstream().head(status);
        head.fields().set("location", "https://" + exchange.host() + port + target);
        replies.answer(head, NO_BODY);
        return Verdict.TAKEN;
    }
}
