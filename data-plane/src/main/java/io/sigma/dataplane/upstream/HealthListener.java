package io.sigma.dataplane.upstream;

/** Notified of changes of nodes' states. Called on any thread, with a lock of that node held; must not block. */
@FunctionalInterface
public interface HealthListener {

    void onChange(NodeEndpoint endpoint, HealthEvent event);
}
