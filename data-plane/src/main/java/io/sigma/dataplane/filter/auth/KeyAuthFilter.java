package io.sigma.dataplane.filter.auth;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.Identity;
import io.sigma.dataplane.filter.Consumers;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.Replies;
import io.sigma.model.KeyAuthPlugin;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows consumers by their API keys. */
public final class KeyAuthFilter implements Filter {

    private static final String CHALLENGE = "Key realm=\"sigma\"";
    private static final String COOKIE = "cookie";

    private final Consumers consumers;
    private final String header;
    private final @Nullable String query;
    private final @Nullable String cookie;
    private final boolean hides;

    public KeyAuthFilter(KeyAuthPlugin plugin, FilterServices services) {
        this.consumers = services.consumers();
        this.header = plugin.header();
        this.query = plugin.query();
        this.cookie = plugin.cookie();
        this.hides = plugin.hideCredentials();
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        String key = find(exchange);
        if (hides) {
            hide(exchange);
        }
        if (Authentication.isDone(exchange)) {
            return Verdict.CONTINUE;
        }
        if (key == null) {
            return Authentication.offer(exchange, CHALLENGE);
        }
        Identity identity = consumers.directory().ofKey(key);
        return identity == null ? Authentication.refuse(replies, CHALLENGE) : Authentication.accept(exchange, identity);
    }

    private @Nullable String find(Exchange exchange) {
        Fields fields = exchange.request().fields();
        String key = fields.get(header);
        if (key == null && query != null) {
            key = Pairs.find(exchange.query(), '&', query);
        }
        if (key == null && cookie != null) {
            key = Pairs.find(fields.get(COOKIE), ';', cookie);
        }
        return key;
    }

    private void hide(Exchange exchange) {
        Fields fields = exchange.request().fields();
        fields.remove(header);
        if (query != null && exchange.query() != null) {
            exchange.query(Pairs.without(exchange.query(), '&', query));
        }
        if (cookie != null) {
            List<String> kept = new ArrayList<>();
            for (String value : fields.all(COOKIE)) {
                String left = Pairs.without(value, ';', cookie);
                if (left != null) {
                    kept.add(left.strip());
                }
            }
            fields.remove(COOKIE);
            kept.forEach(value -> fields.add(COOKIE, value));
        }
    }
}
