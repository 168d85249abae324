package io.sigma.controlplane.api.request;

import io.sigma.limit.AddressBlock;
import io.sigma.value.SessionCookie;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Where a request comes from.
 *
 * @param secure whether the client speaks TLS, with us or with what stands in front of us
 * @param sessionKey what its cookie holds; null when it has none
 */
public record Client(
        String address, boolean secure, @Nullable String sessionKey) {

    public static final String COOKIE = SessionCookie.NAME;

    /** @param address of the client, which need not be the peer */
    static Client of(HttpServerRequest request, String address) {
        Cookie cookie = request.getCookie(COOKIE);
        // Whoever forges the field only makes its own cookie stricter.
        boolean secure = request.isSSL() || "https".equalsIgnoreCase(request.getHeader("X-Forwarded-Proto"));
        return new Client(address, secure, cookie == null ? null : cookie.getValue());
    }

    /** Returns what the client counts as where tries are limited. */
    public String block() {
        return AddressBlock.of(address);
    }

    @Override
    public String toString() {
        return "Client[address=" + address + "]";
    }
}
