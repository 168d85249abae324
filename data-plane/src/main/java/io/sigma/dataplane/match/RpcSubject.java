package io.sigma.dataplane.match;

import org.jspecify.annotations.Nullable;

/** What routers of requests in frames look at. Confined to its event loop. */
public interface RpcSubject {

    /** Returns the service, or class, that is asked for; empty for none. */
    String service();

    /** Returns the method that is asked for; empty where the protocol does not say. */
    String method();

    /** Returns the value of a header pair; null for none. To be called before the request is sent. */
    @Nullable
    String header(String name);
}
