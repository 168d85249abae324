package io.sigma.dataplane.engine.tunnel;

import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that asks to switch protocols, and the answer to it: HTTP/1.1 and HTTP/2 say both in different ways (RFC
 * 8441 §5). Confined to the event loop of the exchange.
 */
public final class ProtocolSwitch {

    private final Exchange exchange;
    private final Forward forward;
    private final boolean clientHttp2;

    /** The value of Sec-WebSocket-Accept that the node has to send, or that the client gets. Null without a key. */
    private @Nullable String accept;

    /**
     * @param clientHttp2 whether the client speaks HTTP/2
     */
    public ProtocolSwitch(Exchange exchange, Forward forward, boolean clientHttp2) {
        this.exchange = exchange;
        this.forward = forward;
        this.clientHttp2 = clientHttp2;
    }

    /** Returns why the request is refused; null when it is not. */
    public @Nullable ErrorKind refusal() {
        return isTranslated() ? WebSocketHandshake.refusal(exchange.request(), clientHttp2) : null;
    }

    /** Returns whether the client asks for a WebSocket on another version of HTTP than the node's. */
    private boolean isTranslated() {
        return forward.isWebSocket() && clientHttp2 != forward.node().switchesNever();
    }

    /**
     * Returns whether the node is asked to switch. HTTP/2 switches to WebSocket alone; for any other protocol the node
     * gets a request without the wish (RFC 9110 §7.8).
     */
    public boolean isAsked(boolean overHttp2) {
        return !overHttp2 || forward.isWebSocket();
    }

    /** Makes of the client's request what the version of the node has for it. */
    public void translate(Fields fields, boolean toHttp2) {
        if (!forward.isWebSocket()) {
            return;
        }
        // WebSockets on HTTP/1.1 have keys, those on HTTP/2 have not.
        if (toHttp2) {
            String key = fields.get(WebSocketHandshake.KEY);
            accept = key == null ? null : WebSocketHandshake.accept(key);
        } else if (clientHttp2) {
            String key = WebSocketHandshake.createKey();
            accept = WebSocketHandshake.accept(key);
            fields.set(WebSocketHandshake.KEY, key);
            fields.set(WebSocketHandshake.VERSION, WebSocketHandshake.KNOWN_VERSION);
        }
    }

    /** Returns whether the node switches to the protocol that was asked for. */
    public boolean isGranted(int status, boolean fromHttp2) {
        return fromHttp2 ? forward.isWebSocket() && status >= 200 && status < 300 : status == 101;
    }

    /**
     * Makes of a node's head that switches what the version of the client has for it.
     *
     * @return false when it is no answer to what the node was asked
     */
    public boolean translate(ResponseHead head, boolean fromHttp2) {
        Fields fields = head.fields();
        boolean answers = (fromHttp2 || ConnectionFields.isSwitch(fields, forward.upgrade()))
                && (!isTranslated()
                        || WebSocketHandshake.isAnswer(exchange.request().fields(), fields));
        if (!answers) {
            return false;
        }
        String protocol = fromHttp2 ? forward.upgrade() : fields.get("upgrade");
        ConnectionFields.stripInterim(fields);
        exchange.stripAnswer(fields);
        if (!clientHttp2) {
            fields.set("upgrade", String.valueOf(protocol));
            if (fromHttp2) {
                fields.set(WebSocketHandshake.ACCEPT, String.valueOf(accept));
            }
            head.status(101);
        } else if (!fromHttp2) {
            if (!fields.all(WebSocketHandshake.ACCEPT).equals(List.of(String.valueOf(accept)))) {
                return false;
            }
            fields.remove(WebSocketHandshake.ACCEPT);
            head.status(200);
        }
        return true;
    }
}
