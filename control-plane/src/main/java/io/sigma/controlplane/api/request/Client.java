package io.sigma.controlplane.api.request;

import io.sigma.identity.SessionCookie;
import io.sigma.limit.AddressBlock;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Where a request comes from.
 *
 * @param secure whether the client speaks TLS, with us or with what stands in front of us
 * @param sessionKey the value of its cookie; null when it has none
 */
public record Client(
        String address, boolean secure, @Nullable String sessionKey) {

    /** @param address of the client, which need not be the peer */
    static Client of(HttpServerRequest request, String address) {
        // Whoever forges the field only makes its own cookie stricter.
        boolean secure = request.isSSL() || "https".equalsIgnoreCase(request.getHeader("X-Forwarded-Proto"));
        // Over TLS no other one counts: a page in plaintext on this host could have set it.
        Cookie cookie = request.getCookie(cookie(secure));
        return new Client(address, secure, cookie == null ? null : cookie.getValue());
    }

    /** Returns the name of the cookie with the session of this client. */
    public String cookie() {
        return cookie(secure);
    }

    private static String cookie(boolean secure) {
        return secure ? SessionCookie.SECURE_NAME : SessionCookie.NAME;
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
