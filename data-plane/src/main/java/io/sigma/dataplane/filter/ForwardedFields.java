package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.model.ForwardedHeaders;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells a node who the client is: {@code Forwarded} (RFC 7239) and the {@code X-Forwarded-*} family. What a trusted peer
 * says of it is kept and added to; what another one says was removed when the request was admitted. Immutable.
 */
public final class ForwardedFields {

    private static final ThreadLocal<Texts> ADDRESSES = ThreadLocal.withInitial(Texts::new);
    private static final String FORWARDED = "forwarded";
    private static final String FOR = "x-forwarded-for";
    private static final String PROTO = "x-forwarded-proto";
    private static final String HOST = "x-forwarded-host";
    private static final String PORT = "x-forwarded-port";
    private static final String REAL_IP = "x-real-ip";
    private static final List<String> X_FIELDS = List.of(FOR, PROTO, HOST, PORT, REAL_IP);

    private final boolean standard;
    private final boolean x;

    public ForwardedFields(ForwardedHeaders mode) {
        this.standard = mode == ForwardedHeaders.FORWARD || mode == ForwardedHeaders.ALL;
        this.x = mode == ForwardedHeaders.X_FORWARD || mode == ForwardedHeaders.ALL;
    }

    /** Sets the fields of {@code request}. */
    public void apply(RequestHead request) {
        Fields fields = request.fields();
        if (!x) {
            X_FIELDS.forEach(fields::remove);
        }
        if (!standard) {
            fields.remove(FORWARDED);
        }
        String address = address(request.remoteAddress());
        if (x) {
            append(fields, FOR, address);
            append(fields, PROTO, request.scheme());
            append(fields, HOST, request.authority());
            append(fields, PORT, String.valueOf(request.localPort()));
            if (!fields.contains(REAL_IP)) {
                fields.set(REAL_IP, address);
            }
        }
        if (standard) {
            append(fields, FORWARDED, element(request, address));
        }
    }

    private static String element(RequestHead request, String address) {
        String node = address.indexOf(':') >= 0 ? "\"[" + address + "]\"" : address;
        // A host with a port or an IPv6 literal is no token, so it is quoted (RFC 7239 §4).
        String authority = request.authority();
        String host = authority.indexOf(':') >= 0 ? "\"" + authority + "\"" : authority;
        return "for=" + node + ";host=" + host + ";proto=" + request.scheme();
    }

    private static void append(Fields fields, String name, String value) {
        List<String> given = fields.all(name);
        fields.set(name, given.isEmpty() ? value : String.join(", ", given) + ", " + value);
    }

    /** Returns the address without a scope, which means something on this machine only. */
    public static String address(InetAddress address) {
        return ADDRESSES.get().of(address);
    }

    private static String text(InetAddress address) {
        String text = address.getHostAddress();
        int scope = address instanceof Inet6Address ? text.indexOf('%') : -1;
        return scope < 0 ? text : text.substring(0, scope);
    }

    /** The texts of addresses that were asked for lately: that of a connection is asked for with each of its requests. */
    private static final class Texts {

        private static final int SLOTS = 512;

        private final @Nullable InetAddress[] addresses = new @Nullable InetAddress[SLOTS];
        private final @Nullable String[] texts = new @Nullable String[SLOTS];

        @SuppressWarnings("ReferenceEquality") // An equal address of another connection is only asked for once more.
        String of(InetAddress address) {
            int slot = System.identityHashCode(address) & (SLOTS - 1);
            String known = texts[slot];
            if (known == null || addresses[slot] != address) {
                known = text(address);
                addresses[slot] = address;
                texts[slot] = known;
            }
            return known;
        }
    }
}
