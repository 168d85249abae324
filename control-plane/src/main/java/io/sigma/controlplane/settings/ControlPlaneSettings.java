package io.sigma.controlplane.settings;

import io.sigma.settings.Setting;
import io.sigma.value.AddressGuard;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a control plane. The secrets and the id may be null here; {@link OwnSecrets} fills in what this control
 * plane makes for itself.
 */
public record ControlPlaneSettings(
        @Setting(
                value = "Folder for the data of a process: generated secrets, snapshots, the embedded database.",
                defaultValue = "./.sigma")
        Path dataDir,

        @Setting(
                value = "Bearer token of the admin API. When absent, it is generated once and stored in dataDir.",
                secret = true)
        @Nullable
        String adminToken,

        @Setting(
                value = "Key that encrypts secrets in the database, at least 16 characters. When absent, it is "
                        + "generated once and stored in dataDir. Control planes that share a database need the same "
                        + "key.",
                secret = true)
        @Nullable
        String secretKey,

        @Setting(
                value = "The former secretKey. Set it until sigma secrets re-encrypt was run, while the database may "
                        + "contain secrets that it encrypted.",
                secret = true)
        @Nullable
        String secretKeyPrevious,

        @Setting(
                value = "Token with which a gateway enrolls, at least 16 characters. When absent, it is generated "
                        + "once and stored in dataDir.",
                secret = true)
        @Nullable
        String joinToken,

        @Setting("Name of this control plane. The default is the host name with a random suffix, stored in "
                + "dataDir.")
        @Nullable
        String controlPlaneId,

        @Setting(
                value =
                        "Hosts, addresses and CIDR blocks, each with an optional port (10.0.0.0/8:443, [fd00::/8]:443), that connections are always allowed to: see docs/upstreams.md.",
                defaultValue = "")
        List<String> upstreamAllow,

        @Setting(
                value =
                        "Hosts, addresses and CIDR blocks, each with an optional port, that connections are refused to, unless upstreamAllow contains them.",
                defaultValue = "")
        List<String> upstreamDeny,

        AdminSettings admin,
        LoginSettings logins,
        DatabaseSettings database,
        GatewayLinkSettings gateways,
        HistorySettings history,
        TrafficSettings traffic) {

    public ControlPlaneSettings {
        upstreamAllow = AddressGuard.checked("upstreamAllow", upstreamAllow);
        upstreamDeny = AddressGuard.checked("upstreamDeny", upstreamDeny);
    }

    /** Returns these settings with the secrets and the id that this control plane goes by. */
    ControlPlaneSettings withOwn(String ownAdminToken, String ownSecretKey, String ownJoinToken, String ownId) {
        return new ControlPlaneSettings(
                dataDir,
                ownAdminToken,
                ownSecretKey,
                secretKeyPrevious,
                ownJoinToken,
                ownId,
                upstreamAllow,
                upstreamDeny,
                admin,
                logins,
                database,
                gateways,
                history,
                traffic);
    }

    @Override
    public String toString() {
        return "ControlPlaneSettings[admin=" + admin.adminHost() + ":" + admin.adminPort() + ", cluster="
                + gateways.clusterHost() + ":" + gateways.clusterPort() + ", dataDir=" + dataDir + ", controlPlaneId="
                + controlPlaneId + ", secrets=[redacted]]";
    }
}
