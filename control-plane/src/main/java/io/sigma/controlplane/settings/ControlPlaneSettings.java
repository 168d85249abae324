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
        @Setting(value = "Address that the admin API and the dashboard listen on.", defaultValue = "127.0.0.1")
        String adminHost,

        @Setting(
                value = "Port of the admin API and the dashboard; 0 takes a free one.",
                defaultValue = "9080",
                min = 0,
                max = 65535)
        int adminPort,

        @Setting(
                "File with the certificates that the admin port shows, PEM, its own first; with adminTlsKeyPath the port speaks TLS "
                        + "only. Read again when it changes.")
        @Nullable
        Path adminTlsCertPath,

        @Setting("File with the private key of the first certificate of adminTlsCertPath, PEM.") @Nullable
        Path adminTlsKeyPath,

        @Setting(
                "Id of a certificate of the configuration that the admin port shows instead of files; then the port speaks TLS only.")
        @Nullable
        String adminTlsCertificate,

        @Setting(
                value =
                        "Addresses and CIDR blocks of proxies before the admin API: from these X-Forwarded-For says where a "
                                + "request comes from, for the audit log and the limits of logins.",
                defaultValue = "")
        List<String> adminTrustedProxies,

        @Setting(
                value = "Folder of what a process keeps: generated secrets, snapshots, the embedded database.",
                defaultValue = "./.sigma")
        Path dataDir,

        @Setting(
                value =
                        "Where PostgreSQL is: postgresql://user:password@host:port[,host:port]/database, of several hosts the one "
                                + "that takes writes, with the options sslmode (disable, allow, prefer, require, verify-ca, "
                                + "verify-full), sslrootcert and target_session_attrs (read-write).",
                secret = true)
        @Nullable
        String databaseUrl,

        @Setting(
                value = "Bearer token of the admin API; when absent it is generated once and kept in dataDir.",
                secret = true)
        @Nullable
        String adminToken,

        @Setting(
                value =
                        "Key that secrets in the database are encrypted with, at least 16 characters; when absent it is generated"
                                + " once and kept in dataDir. Control planes with one database need the same.",
                secret = true)
        @Nullable
        String secretKey,

        @Setting(
                value = "The key before secretKey, while the database may hold what is encrypted with it: until sigma"
                        + " secrets re-encrypt has been run.",
                secret = true)
        @Nullable
        String secretKeyPrevious,

        @Setting(
                value = "Lets a gateway enroll, at least 16 characters; when absent it is generated once and kept in "
                        + "dataDir.",
                secret = true)
        @Nullable
        String joinToken,

        @Setting(value = "Address that gateways connect to.", defaultValue = "0.0.0.0")
        String clusterHost,

        @Setting(
                value = "Port that gateways connect to; 0 takes a free one.",
                defaultValue = "9090",
                min = 0,
                max = 65535)
        int clusterPort,

        @Setting(
                value = "Connections of gateways that the cluster port takes; a further one is closed at once.",
                defaultValue = "1000",
                min = 1,
                max = 100_000)
        int gatewayConnectionsMax,

        @Setting(
                value = "Silence after which a gateway counts as lost, in milliseconds; it speaks every two seconds.",
                defaultValue = "10000",
                min = 3000,
                max = 3_600_000)
        int gatewayLostMillis,

        @Setting(
                value = "Silence after which a gateway is no longer listed, in minutes.",
                defaultValue = "1440",
                min = 1,
                max = 525_600)
        int gatewayForgetMinutes,

        @Setting(
                value = "How long a gateway's certificate is valid, in days; it is renewed when a third is left.",
                defaultValue = "90",
                min = 1,
                max = 3650)
        int gatewayCertificateDays,

        @Setting(
                value = "Longest wait for the votes of gateways before a write commits, in milliseconds; 0 asks none.",
                defaultValue = "2000",
                min = 0,
                max = 60_000)
        int gatewayVoteMillis,

        @Setting(
                value = "Whether a write fails when a live gateway does not vote in time; else that is only reported.",
                defaultValue = "false")
        boolean gatewayVotesRequired,

        @Setting(
                value =
                        "Whether the newest revision is rolled back by itself when gateways refuse it and no other one serves it; "
                                + "else writes are answered 409 until one mends it.",
                defaultValue = "false")
        boolean gatewayRefusedRollBack,

        @Setting("Name of this control plane; when absent the host name and a random suffix, kept in dataDir.")
        @Nullable
        String controlPlaneId,

        @Setting(
                value =
                        "Hosts, addresses and CIDR blocks, each with an optional port (10.0.0.0/8:443, [fd00::/8]:443), that may be "
                                + "connected to whatever they are: see docs/upstreams.md.",
                defaultValue = "")
        List<String> upstreamAllow,

        @Setting(
                value =
                        "Hosts, addresses and CIDR blocks, each with an optional port, that are not connected to unless upstreamAllow "
                                + "has them.",
                defaultValue = "")
        List<String> upstreamDeny,

        @Setting(
                value = "Largest request body of the admin API, in bytes.",
                defaultValue = "1048576",
                min = 1024,
                max = 67_108_864)
        int adminBodyBytesMax,

        @Setting(
                value = "Largest file that can be imported, in bytes.",
                defaultValue = "16777216",
                min = 1024,
                max = 268_435_456)
        int importBytesMax,

        @Setting(value = "Largest batch, in bytes.", defaultValue = "16777216", min = 1024, max = 268_435_456)
        int batchBytesMax,

        @Setting(
                value = "Largest declared state, in bytes.",
                defaultValue = "67108864",
                min = 1024,
                max = 1_073_741_824)
        int configBytesMax,

        @Setting(
                value = "Operations that a batch may have; all other writers wait while it is judged.",
                defaultValue = "1000",
                min = 1,
                max = 10_000)
        int batchOperationsMax,

        @Setting(
                value =
                        "Connections that the admin API takes; with a further one the oldest of the address that has most is "
                                + "closed, unless a request of somebody who is known is under way on it.",
                defaultValue = "1024",
                min = 1,
                max = 100_000)
        int adminConnectionsMax,

        @Setting(
                value =
                        "Connections of one address, or of 64 bits of IPv6, that the admin API takes; with a further one its "
                                + "oldest is closed. Addresses of adminTrustedProxies have no such bound.",
                defaultValue = "128",
                min = 1,
                max = 100_000)
        int adminConnectionsOfAddressMax,

        @Setting(
                value =
                        "Bytes of request bodies that the admin API holds at once; a further one is answered 503, or one that "
                                + "is still on its way makes room. 0 takes an eighth of the heap.",
                defaultValue = "0",
                min = 0,
                max = Integer.MAX_VALUE)
        int adminBodiesBytesMax,

        @Setting(
                value = "Clients of the event stream; a further one is answered 503.",
                defaultValue = "100",
                min = 1,
                max = 10_000)
        int eventClientsMax,

        @Setting(
                value =
                        "Events that are kept, so that a client of the event stream that comes back goes on where it was.",
                defaultValue = "5000",
                min = 100,
                max = 100_000)
        int eventsKeptMax,

        @Setting(
                value =
                        "Wrong tokens, and wrong passwords, that an address, or 64 bits of IPv6, may present in a minute; then "
                                + "further ones are answered 429.",
                defaultValue = "30",
                min = 1,
                max = 100_000)
        int loginFailuresPerMinute,

        @Setting(
                value = "Connections to PostgreSQL for reading; writing takes two more.",
                defaultValue = "8",
                min = 2,
                max = 1000)
        int databasePoolSize,

        @Setting(
                value = "Requests that wait for a connection to PostgreSQL; a further one is answered 503.",
                defaultValue = "256",
                min = 1,
                max = 100_000)
        int databaseQueueMax,

        @Setting(
                value = "Longest wait for a connection to PostgreSQL or for an answer of it, in milliseconds.",
                defaultValue = "5000",
                min = 100,
                max = 600_000)
        int databaseTimeoutMillis,

        @Setting(
                value = "Longest wait for PostgreSQL at start, in milliseconds.",
                defaultValue = "60000",
                min = 0,
                max = 3_600_000)
        int databaseStartMillis,

        @Setting(
                value = "Interval of looking for revisions whose notification was lost, in milliseconds.",
                defaultValue = "2000",
                min = 50,
                max = 600_000)
        int revisionPollMillis,

        @Setting(
                value = "Revisions kept in memory, so that a gateway that is a little behind receives the difference.",
                defaultValue = "512",
                min = 1,
                max = 100_000)
        int revisionsInMemoryMax,

        @Setting(
                value = "Newest revisions that are all kept in the history; of older ones only checkpoints are.",
                defaultValue = "100000",
                min = 100,
                max = 1_000_000_000)
        int revisionsKeptMax,

        @Setting(
                value = "Age up to which revisions are all kept, in days, and the newest 100 anyway; 0 for any age.",
                defaultValue = "365",
                min = 0,
                max = 36_500)
        int revisionsKeptDays,

        @Setting(
                value = "Of older revisions the last in each so many hours is kept as a checkpoint.",
                defaultValue = "24",
                min = 1,
                max = 8760)
        int revisionCheckpointHours,

        @Setting(
                value = "Checkpoints that are kept; 0 keeps none of the older revisions.",
                defaultValue = "1000",
                min = 0,
                max = 10_000)
        int revisionCheckpointsMax,

        @Setting(
                value = "Records of the audit log that are kept; of older ones the hash of the last is.",
                defaultValue = "1000000",
                min = 1000,
                max = 1_000_000_000)
        int auditKeptMax,

        @Setting(
                value =
                        "Password of the user admin, who is made at the first start; when absent one is generated, said "
                                + "once, and must be changed.",
                secret = true)
        @Nullable
        String adminPassword,

        @Setting(
                value =
                        "Wrong passwords that an address may try for one user in a minute; then its logins of that user are "
                                + "answered 429.",
                defaultValue = "10",
                min = 1,
                max = 100_000)
        int loginFailuresPerUserPerMinute,

        @Setting(
                value = "Time without a request after which a session of the dashboard ends, in minutes.",
                defaultValue = "60",
                min = 1,
                max = 10_080)
        int sessionIdleMinutes,

        @Setting(
                value = "Longest time that a session of the dashboard lasts, in hours.",
                defaultValue = "12",
                min = 1,
                max = 8760)
        int sessionHoursMax,

        @Setting(
                value =
                        "Routes, and upstreams, whose traffic a control plane counts by themselves at a time; further ones are "
                                + "counted as one.",
                defaultValue = "2000",
                min = 10,
                max = 100_000)
        int trafficSeriesMax,

        @Setting(
                value = "How long traffic is kept by slots of five seconds, in minutes.",
                defaultValue = "60",
                min = 5,
                max = 1440)
        int trafficFineMinutes,

        @Setting(
                value = "How long traffic is kept by slots of a minute, in minutes.",
                defaultValue = "1440",
                min = 60,
                max = 44_640)
        int trafficMinutes,

        @Setting(
                value = "How long the changes of the state of nodes are kept, in hours.",
                defaultValue = "168",
                min = 1,
                max = 8760)
        int nodeHistoryHours,

        @Setting(
                value = "Changes of the state that are kept of each node.",
                defaultValue = "200",
                min = 10,
                max = 10_000)
        int nodeHistoryMax) {

    public ControlPlaneSettings {
        upstreamAllow = AddressGuard.checked("upstreamAllow", upstreamAllow);
        upstreamDeny = AddressGuard.checked("upstreamDeny", upstreamDeny);
        adminTrustedProxies = List.copyOf(adminTrustedProxies);
    }

    /** Returns whether the admin port speaks TLS. */
    public boolean adminTls() {
        return adminTlsCertPath != null || adminTlsCertificate != null;
    }

    /** Returns these settings with the secrets and the id that this control plane goes by. */
    ControlPlaneSettings withOwn(String ownAdminToken, String ownSecretKey, String ownJoinToken, String ownId) {
        return new ControlPlaneSettings(
                adminHost,
                adminPort,
                adminTlsCertPath,
                adminTlsKeyPath,
                adminTlsCertificate,
                adminTrustedProxies,
                dataDir,
                databaseUrl,
                ownAdminToken,
                ownSecretKey,
                secretKeyPrevious,
                ownJoinToken,
                clusterHost,
                clusterPort,
                gatewayConnectionsMax,
                gatewayLostMillis,
                gatewayForgetMinutes,
                gatewayCertificateDays,
                gatewayVoteMillis,
                gatewayVotesRequired,
                gatewayRefusedRollBack,
                ownId,
                upstreamAllow,
                upstreamDeny,
                adminBodyBytesMax,
                importBytesMax,
                batchBytesMax,
                configBytesMax,
                batchOperationsMax,
                adminConnectionsMax,
                adminConnectionsOfAddressMax,
                adminBodiesBytesMax,
                eventClientsMax,
                eventsKeptMax,
                loginFailuresPerMinute,
                databasePoolSize,
                databaseQueueMax,
                databaseTimeoutMillis,
                databaseStartMillis,
                revisionPollMillis,
                revisionsInMemoryMax,
                revisionsKeptMax,
                revisionsKeptDays,
                revisionCheckpointHours,
                revisionCheckpointsMax,
                auditKeptMax,
                adminPassword,
                loginFailuresPerUserPerMinute,
                sessionIdleMinutes,
                sessionHoursMax,
                trafficSeriesMax,
                trafficFineMinutes,
                trafficMinutes,
                nodeHistoryHours,
                nodeHistoryMax);
    }

    @Override
    public String toString() {
        return "ControlPlaneSettings[admin=" + adminHost + ":" + adminPort + ", cluster=" + clusterHost + ":"
                + clusterPort + ", dataDir=" + dataDir + ", controlPlaneId=" + controlPlaneId + ", secrets=[redacted]]";
    }
}
