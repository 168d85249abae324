package io.sigma.dataplane.engine.http2;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.value.Tokens;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the heads of requests as a whole (RFC 9113 §8.3.1); {@link DecodedHead} checks each field. Remembers the
 * authority of the head before, because most heads of a connection have the same. Confined to the event loop.
 */
public final class RequestHeads {

    private static final String WEBSOCKET = "websocket";

    private @Nullable String sent;
    private @Nullable HostAndPort understood;
    private String text = "";

    /** Returns whether the gateway may look at the request; otherwise its stream ends. */
    boolean isWellFormed(DecodedHead head) {
        String method = head.methodText();
        String path = head.pathText();
        if (method == null || head.schemeText() == null || path == null || !Tokens.isToken(method)) {
            return false;
        }
        // Plain CONNECT has no path (RFC 9113 §8.5) and is never well-formed here; the extended one has a protocol (RFC
        // 8441 §4).
        if (method.equals("CONNECT") == (head.protocolText() == null)
                || !(path.startsWith("/") || path.equals("*"))
                || !isVisible(path)) {
            return false;
        }
        return isAuthorityClear(head);
    }

    /**
     * Other schemes are well-formed (RFC 9113 §8.3.1), and this is a gateway to none of them. Whether the connection is
     * encrypted decides which of the two it is: something before the gateway may have taken the encryption off.
     *
     * @throws InvalidRequest when it is neither http nor https
     */
    static void checkScheme(DecodedHead head) {
        String scheme = head.schemeText();
        if (!"https".equalsIgnoreCase(scheme) && !"http".equalsIgnoreCase(scheme)) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "scheme");
        }
    }

    /**
     * Makes of an extended CONNECT the request that HTTP/1.1 has for it (RFC 8441 §5), so that all that follows sees
     * one kind of switch.
     *
     * @return the method of that request
     * @throws InvalidRequest when the protocol is another one than WebSocket
     */
    static String upgrade(DecodedHead head) {
        if (!WEBSOCKET.equalsIgnoreCase(head.protocolText())) {
            throw new InvalidRequest(ErrorKind.NO_SWITCH, ":protocol");
        }
        Fields fields = head.fields();
        fields.remove("content-length");
        fields.set("connection", "Upgrade");
        fields.set("upgrade", WEBSOCKET);
        return "GET";
    }

    private boolean isAuthorityClear(DecodedHead head) {
        List<String> hosts = head.fields().all("host");
        if (hosts.size() > 1) {
            return false;
        }
        String named = head.authorityText();
        if (named == null) {
            return hosts.isEmpty() || understand(hosts.getFirst()) != null;
        }
        HostAndPort authority = understand(named);
        if (authority == null || hosts.isEmpty()) {
            return authority != null;
        }
        HostAndPort host = HostAndPort.parseAuthority(hosts.getFirst(), -1);
        return host != null
                && authority.host().equalsIgnoreCase(host.host())
                && port(authority, head.schemeText()) == port(host, head.schemeText());
    }

    /** Returns the port that is meant: the one of the scheme where none is named (RFC 3986 §6.2.3). */
    private static int port(HostAndPort named, @Nullable String scheme) {
        if (named.port() >= 0) {
            return named.port();
        }
        return "https".equalsIgnoreCase(scheme) ? 443 : 80;
    }

    private @Nullable HostAndPort understand(String authority) {
        if (!authority.equals(sent)) {
            HostAndPort parsed = HostAndPort.parseAuthority(authority, -1);
            sent = authority;
            understood = parsed;
            text = parsed == null ? "" : parsed.port() < 0 ? parsed.host() : parsed.host() + ":" + parsed.port();
        }
        return understood;
    }

    /** Returns the authority of a well-formed head; null when it names none. */
    @Nullable
    String authority(DecodedHead head) {
        return head.authorityText() == null && !head.fields().contains("host") ? null : text;
    }

    private static boolean isVisible(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c <= ' ' || c == 0x7f) {
                return false;
            }
        }
        return true;
    }

    /** Returns the length of a body that follows: what the head says, -1 when it says nothing. */
    public static long bodyBytes(Fields fields) {
        String length = fields.get("content-length");
        if (length == null) {
            return -1;
        }
        try {
            return Math.max(0, Long.parseLong(length));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
