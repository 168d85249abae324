package io.sigma.dataplane.filter.auth;

import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.Identity;
import io.sigma.dataplane.exchange.TrustedProxies;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;

/** Stands behind the filters that find out who a client is; nobody comes through unknown. Tells the node who it is. */
public final class AuthenticationGate implements Filter {

    public static final AuthenticationGate INSTANCE = new AuthenticationGate();

    private AuthenticationGate() {}

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        if (!Authentication.isDone(exchange)) {
            return Authentication.refuse(exchange, replies);
        }
        Fields fields = exchange.request().fields();
        Identity identity = exchange.get(Attributes.IDENTITY);
        if (identity == null) {
            fields.remove(TrustedProxies.CONSUMER);
        } else {
            fields.set(TrustedProxies.CONSUMER, identity.consumer());
        }
        return Verdict.CONTINUE;
    }
}
