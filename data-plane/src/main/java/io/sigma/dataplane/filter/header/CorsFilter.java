package io.sigma.dataplane.filter.header;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.FieldNames;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.Filter;
import io.sigma.dataplane.filter.Replies;
import io.sigma.dataplane.filter.Vary;
import io.sigma.model.CorsPlugin;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers preflight requests and adds the CORS fields (Fetch standard, §3.3). */
public final class CorsFilter implements Filter {

    private static final byte[] NO_BODY = new byte[0];
    private static final String ORIGIN = "origin";
    private static final String REQUEST_METHOD = "access-control-request-method";
    private static final String REQUEST_HEADERS = "access-control-request-headers";

    /** The CORS fields of a response (Fetch standard, §3.3.3; Private Network Access, §3.1). */
    private static final FieldNames ANSWERS = FieldNames.of(
            "access-control-allow-origin",
            "access-control-allow-credentials",
            "access-control-expose-headers",
            "access-control-allow-methods",
            "access-control-allow-headers",
            "access-control-max-age",
            "access-control-allow-private-network",
            "access-control-allow-local-network",
            "private-network-access-id",
            "private-network-access-name");

    private final boolean anyOrigin;
    private final Set<String> origins;
    private final List<String> allowedMethods;
    private final String methods;
    private final String headers;
    private final String exposed;
    private final boolean credentials;
    private final @Nullable String maxAge;

    public CorsFilter(CorsPlugin plugin) {
        this.anyOrigin =
                plugin.allowOrigins().isEmpty() || plugin.allowOrigins().contains("*");
        this.origins = Set.copyOf(plugin.allowOrigins());
        this.allowedMethods = List.copyOf(plugin.allowMethods());
        this.methods = String.join(", ", plugin.allowMethods());
        this.headers = String.join(", ", plugin.allowHeaders());
        this.exposed = String.join(", ", plugin.exposeHeaders());
        this.credentials = plugin.allowCredentials();
        this.maxAge = plugin.maxAgeSeconds() == null ? null : String.valueOf(plugin.maxAgeSeconds());
    }

    /**
     * Removes what a node says of CORS: the gateway alone decides, also where it grants nothing, and two words on one
     * question would be refused by browsers.
     */
    public static void removeAnswers(Fields response) {
        response.removeAll(ANSWERS);
    }

    /** Returns whether a browser asks for permission rather than for the resource. */
    static boolean isPreflight(RequestHead request) {
        return request.method().equals("OPTIONS")
                && request.fields().contains(ORIGIN)
                && request.fields().contains(REQUEST_METHOD);
    }

    @Override
    public boolean isPure() {
        return true;
    }

    @Override
    public Verdict onRequest(Exchange exchange, Replies replies) {
        RequestHead request = exchange.request();
        if (!isPreflight(request)) {
            return Verdict.CONTINUE;
        }
        ResponseHead head = exchange.downstream().head(204);
        String method = String.valueOf(request.fields().get(REQUEST_METHOD));
        boolean allowed = allowedMethods.isEmpty() || allowedMethods.contains(method);
        if (allowed && isAllowed(origin(request.fields()))) {
            permit(request.fields(), head.fields(), method);
        }
        Vary.add(head.fields(), Vary.REQUEST_METHOD);
        Vary.add(head.fields(), Vary.REQUEST_HEADERS);
        replies.answer(head, NO_BODY);
        return Verdict.TAKEN;
    }

    private void permit(Fields request, Fields response, String method) {
        response.set("access-control-allow-methods", methods.isEmpty() ? method : methods);
        // A list, which may have several lines (RFC 9110 §5.3).
        String asked = String.join(", ", request.all(REQUEST_HEADERS));
        String allowed = headers.isEmpty() ? asked : headers;
        if (!allowed.isEmpty()) {
            response.set("access-control-allow-headers", allowed);
        }
        if (maxAge != null) {
            response.set("access-control-max-age", maxAge);
        }
    }

    @Override
    public void onResponse(Exchange exchange, ResponseHead head) {
        String origin = origin(exchange.request().fields());
        if (!anyOrigin) {
            Vary.add(head.fields(), Vary.ORIGIN);
        }
        if (origin == null || !isAllowed(origin)) {
            return;
        }
        head.fields().set("access-control-allow-origin", anyOrigin ? "*" : origin);
        if (credentials) {
            head.fields().set("access-control-allow-credentials", "true");
        }
        if (!exposed.isEmpty() && !isPreflight(exchange.request())) {
            head.fields().set("access-control-expose-headers", exposed);
        }
    }

    /** Returns the one origin of a request; null for none, and for several, since a node may look at another one. */
    private static @Nullable String origin(Fields request) {
        return request.count(ORIGIN) == 1 ? request.get(ORIGIN) : null;
    }

    private boolean isAllowed(@Nullable String origin) {
        return anyOrigin || (origin != null && origins.contains(origin));
    }
}
