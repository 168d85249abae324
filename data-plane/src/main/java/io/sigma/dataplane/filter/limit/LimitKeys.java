package io.sigma.dataplane.filter.limit;

import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Identity;
import io.sigma.model.LimitKey;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Finds what a limit counts. Immutable. */
final class LimitKeys {

    /** A value that is longer is known by its digest, so that keys have a bound. */
    private static final int LENGTH_MAX = 128;

    /** The key of an IPv6 client: its /64. A customer usually has a whole /64, and may use any address of it. */
    private record Subnet(long bits) {}

    /** A key with its source: a value that the client sends never equals a value that the gateway found. */
    private record Named(LimitKey by, String name) {}

    private final LimitKey by;
    private final String header;

    /**
     * @param header null unless counted by header
     */
    LimitKeys(LimitKey by, @Nullable String header) {
        this.by = by;
        this.header = header == null ? "" : header;
    }

    /** Returns whether requests of all clients are counted together. */
    boolean together() {
        return by == LimitKey.ROUTE;
    }

    Object of(Exchange exchange) {
        return switch (by) {
            case ADDRESS -> address(exchange);
            case CONSUMER -> {
                Identity identity = exchange.get(Attributes.IDENTITY);
                yield identity == null ? address(exchange) : new Named(by, identity.consumer());
            }
            case HEADER -> {
                String value = exchange.request().fields().get(header);
                yield value == null ? address(exchange) : new Named(by, bounded(value));
            }
            case ROUTE -> new Named(by, exchange.route());
        };
    }

    /** Returns what {@link #parse} reads. */
    static String text(Object key) {
        return switch (key) {
            case Subnet subnet -> "subnet:" + Long.toHexString(subnet.bits());
            case Named named -> named.by().name() + ":" + named.name();
            case InetAddress address -> "address:" + address.getHostAddress();
            default -> throw new IllegalArgumentException(key + " (expected: a key of a limit)");
        };
    }

    /** Returns the key that is written so; null for no key. */
    static @Nullable Object parse(String text) {
        int colon = text.indexOf(':');
        String rest = text.substring(colon + 1);
        try {
            return switch (text.substring(0, Math.max(0, colon))) {
                case "subnet" -> new Subnet(Long.parseUnsignedLong(rest, 16));
                case "address" -> InetAddress.ofLiteral(rest);
                default -> new Named(LimitKey.valueOf(text.substring(0, Math.max(0, colon))), rest);
            };
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Object address(Exchange exchange) {
        InetAddress address = exchange.clientAddress();
        return address instanceof Inet6Address
                ? new Subnet(ByteBuffer.wrap(address.getAddress()).getLong())
                : address;
    }

    private static String bounded(String value) {
        if (value.length() <= LENGTH_MAX) {
            return value;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
