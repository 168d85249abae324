package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.FieldNames;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.model.ForwardedHeaders;
import java.net.Inet6Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Tells a node who the client is: {@code Forwarded} (RFC 7239) and the {@code X-Forwarded-*} family. What a trusted peer
 * says of it is kept and added to; what another one says was removed when the request was admitted. Immutable.
 */
public final class ForwardedFields {

    private static final String FORWARDED = "forwarded";
    private static final String FOR = "x-forwarded-for";
    private static final String PROTO = "x-forwarded-proto";
    private static final String HOST = "x-forwarded-host";
    private static final String PORT = "x-forwarded-port";
    private static final String REAL_IP = "x-real-ip";
    private static final FieldNames X_FIELDS = FieldNames.of(FOR, PROTO, HOST, PORT, REAL_IP);
    private static final FieldLine HTTP = new FieldLine(PROTO, "http");
    private static final FieldLine HTTPS = new FieldLine(PROTO, "https");
    private static final ThreadLocal<Known> KNOWN = ThreadLocal.withInitial(Known::new);

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
            fields.removeAll(X_FIELDS);
        }
        if (!standard) {
            fields.remove(FORWARDED);
        }
        Known known = KNOWN.get();
        Known.Peer peer = known.peer(request.remoteAddress());
        if (x) {
            append(fields, peer.forwardedFor);
            append(fields, request.tls() ? HTTPS : HTTP);
            append(fields, known.host(request.authority()));
            append(fields, known.port(request.localPort()));
            if (!fields.contains(REAL_IP)) {
                fields.add(peer.realIp);
            }
        }
        if (standard) {
            append(fields, new FieldLine(FORWARDED, element(request, peer.text)));
        }
    }

    private static String element(RequestHead request, String address) {
        String node = address.indexOf(':') >= 0 ? "\"[" + address + "]\"" : address;
        // A host with a port or an IPv6 literal is no token, so it is quoted (RFC 7239 §4).
        String authority = request.authority();
        String host = authority.indexOf(':') >= 0 ? "\"" + authority + "\"" : authority;
        return "for=" + node + ";host=" + host + ";proto=" + request.scheme();
    }

    private static void append(Fields fields, FieldLine line) {
        if (fields.contains(line.name())) {
            fields.set(line.name(), String.join(", ", fields.all(line.name())) + ", " + line.value());
        } else {
            fields.add(line);
        }
    }

    /** Returns the address without a scope, which means something on this machine only. */
    public static String address(InetAddress address) {
        return KNOWN.get().peer(address).text;
    }

    private static String text(InetAddress address) {
        String text = address.getHostAddress();
        int scope = address instanceof Inet6Address ? text.indexOf('%') : -1;
        return scope < 0 ? text : text.substring(0, scope);
    }

    /**
     * What was said lately of peers, hosts and ports, which most requests say again. Of two that fall on one slot the later
     * stays.
     */
    private static final class Known {

        private static final int SLOTS = 512;

        /** A peer. */
        private static final class Peer {
            private final InetAddress address;
            private final String text;
            private final FieldLine forwardedFor;
            private final FieldLine realIp;

            Peer(InetAddress address) {
                this.address = address;
                this.text = ForwardedFields.text(address);
                this.forwardedFor = new FieldLine(FOR, text);
                this.realIp = new FieldLine(REAL_IP, text);
            }
        }

        private final @Nullable Peer[] peers = new @Nullable Peer[SLOTS];
        private final @Nullable FieldLine[] hosts = new @Nullable FieldLine[SLOTS];
        private final @Nullable FieldLine[] ports = new @Nullable FieldLine[SLOTS];
        private final int[] portNumbers = new int[SLOTS];

        Peer peer(InetAddress address) {
            int hash = address.hashCode();
            int slot = (hash ^ hash >>> 8 ^ hash >>> 16) & (SLOTS - 1);
            Peer known = peers[slot];
            if (known == null || !known.address.equals(address)) {
                known = new Peer(address);
                peers[slot] = known;
            }
            return known;
        }

        FieldLine host(String authority) {
            int hash = authority.hashCode();
            int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
            FieldLine known = hosts[slot];
            if (known == null || !known.value().equals(authority)) {
                known = new FieldLine(HOST, authority);
                hosts[slot] = known;
            }
            return known;
        }

        FieldLine port(int number) {
            int slot = number & (SLOTS - 1);
            FieldLine known = ports[slot];
            if (known == null || portNumbers[slot] != number) {
                known = new FieldLine(PORT, String.valueOf(number));
                ports[slot] = known;
                portNumbers[slot] = number;
            }
            return known;
        }
    }
}
