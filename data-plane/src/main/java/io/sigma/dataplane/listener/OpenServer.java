package io.sigma.dataplane.listener;

import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.model.ProxyServer;
import org.jspecify.annotations.Nullable;

/** An open listener, and the configuration that it was opened with. Compared by identity. */
record OpenServer(ProxyServer source, @Nullable TlsMaterial tls, ServerBinding binding, ListenerHandle handle) {

    OpenServer with(ProxyServer other, @Nullable TlsMaterial otherTls) {
        return new OpenServer(other, otherTls, binding, handle);
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
