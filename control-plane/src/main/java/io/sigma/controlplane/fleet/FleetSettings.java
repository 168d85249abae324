package io.sigma.controlplane.fleet;

import io.sigma.controlplane.secret.KeyRing;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.controlplane.traffic.TrafficLog;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the fleet.
 *
 * @param bridge null where all gateways are in this process
 * @param lostAfter silence after which nobody waits for a gateway any more
 * @param forgetAfter silence after which a gateway is no longer listed
 * @param voteMillis how long a write waits for the votes of gateways; 0 asks none
 * @param votesRequired whether a write fails when a live gateway does not vote in time
 * @param traffic how much of what comes to the gateways is kept
 * @param nodes how much of what became of nodes is kept
 */
public record FleetSettings(
        String controlPlaneId,
        @Nullable Bridge bridge,
        Duration lostAfter,
        Duration forgetAfter,
        int voteMillis,
        boolean votesRequired,
        TrafficLog.Limits traffic,
        NodeHistory nodes) {

    /**
     * The bounds of the kept health changes of nodes.
     *
     * @param age how long
     * @param max changes of one node
     */
    public record NodeHistory(Duration age, int max) {}

    /**
     * The port for gateways elsewhere.
     *
     * @param port 0 takes a free one
     * @param keys encrypt the private key of the cluster's authority
     * @param certificateValidity how long gateways' certificates are valid
     */
    public record Bridge(
            String host, int port, int connectionsMax, String joinToken, KeyRing keys, Duration certificateValidity) {

        @Override
        public String toString() {
            return "Bridge[" + host + ":" + port + ", connectionsMax=" + connectionsMax + ", secrets=[redacted]]";
        }
    }

    /**
     * Returns the settings of a control plane whose secrets are complete.
     *
     * @param bridged whether gateways outside this process connect
     */
    public static FleetSettings of(ControlPlaneSettings settings, boolean bridged) {
        Bridge bridge = new Bridge(
                settings.gateways().clusterHost(),
                settings.gateways().clusterPort(),
                settings.gateways().gatewayConnectionsMax(),
                Objects.requireNonNull(settings.joinToken(), "joinToken"),
                KeyRing.of(settings),
                Duration.ofDays(settings.gateways().gatewayCertificateDays()));
        return new FleetSettings(
                Objects.requireNonNull(settings.controlPlaneId(), "controlPlaneId"),
                bridged ? bridge : null,
                Duration.ofMillis(settings.gateways().gatewayLostMillis()),
                Duration.ofMinutes(settings.gateways().gatewayForgetMinutes()),
                settings.gateways().gatewayVoteMillis(),
                settings.gateways().gatewayVotesRequired(),
                new TrafficLog.Limits(
                        settings.traffic().trafficSeriesMax(),
                        Duration.ofMinutes(settings.traffic().trafficFineMinutes()),
                        Duration.ofMinutes(settings.traffic().trafficMinutes())),
                new NodeHistory(
                        Duration.ofHours(settings.traffic().nodeHistoryHours()),
                        settings.traffic().nodeHistoryMax()));
    }
}
