package io.sigma.controlplane.cluster;

/** Hears which gateways are connected to the cluster port. Called on its event loop; must not block. */
public interface PeerListener {

    /** A gateway has connected. */
    void reached(String gatewayId);

    /** The connection of a gateway is closed, and it has no other one here. */
    void gone(String gatewayId);
}
