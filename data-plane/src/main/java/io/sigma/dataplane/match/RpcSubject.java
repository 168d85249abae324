package io.sigma.dataplane.match;

import org.jspecify.annotations.Nullable;

/** The parts of a request in frames that routers match. Confined to its event loop. */
public interface RpcSubject {

    /** Returns the service, or class, that is asked for; empty for none. */
    String service();

    /** Returns the method that is asked for; empty where the protocol does not say. */
    String method();

    /** Returns the value of a header pair; null for none. To be called before the request is sent. */
    @Nullable
    String header(String name);
}
