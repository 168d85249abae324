package io.sigma.plugin;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** A request, from its head to the end of its exchange. Confined to the event loop of the client's connection. */
public interface PluginRequest {

    /** Returns the method, a case-sensitive token. */
    String method();

    /** Returns {@code http} or {@code https}, as the client asked. */
    String scheme();

    /** Returns the host that the client asked for, in lower case and without a port. */
    String host();

    /** Returns the path that the client asked for, in normal form. */
    String path();

    /** Returns the query that the client asked for, without the question mark; null when there is none. */
    @Nullable
    String query();

    /** Returns the address of the client, seen through the proxies that are trusted. */
    InetAddress clientAddress();

    /** Returns the subject of the client's certificate (RFC 2253), null when it showed none. */
    @Nullable
    String clientSubject();

    /** Returns the fields, as they are forwarded. */
    PluginFields fields();

    /** Returns what this filter remembered of the exchange, null when nothing. */
    @Nullable
    Object memory();

    /** Remembers {@code value} for this filter until the exchange is over; null forgets. */
    void memory(@Nullable Object value);
}
