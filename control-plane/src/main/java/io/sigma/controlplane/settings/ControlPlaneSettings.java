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
                value = "Port of the admin API and the dashboard. 0 takes a free one.",
                defaultValue = "9080",
                min = 0,
                max = 65535)
        int adminPort,

        @Setting("PEM file with the certificates of the admin port, its own first. With adminTlsKeyPath the "
                + "port accepts only TLS. The file is read again when it changes.")
        @Nullable
        Path adminTlsCertPath,

        @Setting("PEM file with the private key of the first certificate of adminTlsCertPath.") @Nullable
        Path adminTlsKeyPath,

        @Setting("Id of a certificate of the configuration that the admin port presents instead of files. "
                + "With it the port accepts only TLS.")
        @Nullable
        String adminTlsCertificate,

        @Setting(
                value = "Addresses and CIDR blocks of proxies in front of the admin API. Their X-Forwarded-For names "
                        + "the client for the audit log and for the limits of logins.",
                defaultValue = "")
        List<String> adminTrustedProxies,

        @Setting(
                value = "Folder for the data of a process: generated secrets, snapshots, the embedded database.",
                defaultValue = "./.sigma")
        Path dataDir,

        @Setting(
                value = "URL of PostgreSQL: postgresql://user:password@host:port[,host:port]/database. With several "
                        + "hosts, the one that takes writes is used. Options: sslmode (disable, allow, prefer, "
                        + "require, verify-ca, verify-full), sslrootcert and target_session_attrs (read-write).",
                secret = true)
        @Nullable
        String databaseUrl,

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

        @Setting(value = "Address that gateways connect to.", defaultValue = "0.0.0.0")
        String clusterHost,

        @Setting(
                value = "Port that gateways connect to. 0 takes a free one.",
                defaultValue = "9090",
                min = 0,
                max = 65535)
        int clusterPort,

        @Setting(
                value = "Most connections of gateways to the cluster port. A further one is closed at once.",
                defaultValue = "1000",
                min = 1,
                max = 100_000)
        int gatewayConnectionsMax,

        @Setting(
                value = "Time without a report after which a gateway is LOST, in milliseconds. A gateway reports "
                        + "every two seconds.",
                defaultValue = "10000",
                min = 3000,
                max = 3_600_000)
        int gatewayLostMillis,

        @Setting(
                value = "Time without a report after which a gateway is no longer listed, in minutes.",
                defaultValue = "1440",
                min = 1,
                max = 525_600)
        int gatewayForgetMinutes,

        @Setting(
                value = "How long a gateway's certificate is valid, in days. It is renewed when a third of that time "
                        + "is left.",
                defaultValue = "90",
                min = 1,
                max = 3650)
        int gatewayCertificateDays,

        @Setting(
                value = "Longest wait for the votes of gateways before a write commits, in milliseconds. With 0 "
                        + "gateways do not vote.",
                defaultValue = "2000",
                min = 0,
                max = 60_000)
        int gatewayVoteMillis,

        @Setting(
                value = "Whether a write fails if a live gateway does not vote in time. If false, the answer only "
                        + "reports it.",
                defaultValue = "false")
        boolean gatewayVotesRequired,

        @Setting(
                value = "Whether the newest revision is rolled back automatically if gateways refuse it and no "
                        + "gateway serves it. If false, writes are answered 409 until one fixes it.",
                defaultValue = "false")
        boolean gatewayRefusedRollBack,

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
                value = "Most operations of a batch. All other writers wait while a batch is checked.",
                defaultValue = "1000",
                min = 1,
                max = 10_000)
        int batchOperationsMax,

        @Setting(
                value = "Most connections to the admin API. A further one closes the oldest connection of the "
                        + "address with the most, unless that connection has an authenticated request in progress.",
                defaultValue = "1024",
                min = 1,
                max = 100_000)
        int adminConnectionsMax,

        @Setting(
                value = "Most connections to the admin API of one address, or of one IPv6 /64. A further one closes "
                        + "the oldest of them. Addresses of adminTrustedProxies have no such bound.",
                defaultValue = "128",
                min = 1,
                max = 100_000)
        int adminConnectionsOfAddressMax,

        @Setting(
                value = "Most bytes of request bodies that the admin API keeps in memory. Beyond it, a request is "
                        + "answered 503, or an incomplete one is ended to make room. 0 stands for an eighth of the "
                        + "heap.",
                defaultValue = "0",
                min = 0,
                max = Integer.MAX_VALUE)
        int adminBodiesBytesMax,

        @Setting(
                value = "Most clients of the event stream. A further one is answered 503.",
                defaultValue = "100",
                min = 1,
                max = 10_000)
        int eventClientsMax,

        @Setting(
                value = "Number of stored events. A client of the event stream that reconnects continues from them.",
                defaultValue = "5000",
                min = 100,
                max = 100_000)
        int eventsKeptMax,

        @Setting(
                value = "Wrong tokens, and wrong passwords, that an address, or an IPv6 /64, may send per minute. "
                        + "Further ones are answered 429.",
                defaultValue = "30",
                min = 1,
                max = 100_000)
        int loginFailuresPerMinute,

        @Setting(
                value = "Connections to PostgreSQL for reads. Writes use two more.",
                defaultValue = "8",
                min = 2,
                max = 1000)
        int databasePoolSize,

        @Setting(
                value = "Most requests that wait for a connection to PostgreSQL. A further one is answered 503.",
                defaultValue = "256",
                min = 1,
                max = 100_000)
        int databaseQueueMax,

        @Setting(
                value = "Longest wait for a connection to PostgreSQL, or for an answer from it, in milliseconds.",
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
                value = "Interval of the poll for revisions whose notification was lost, in milliseconds.",
                defaultValue = "2000",
                min = 50,
                max = 600_000)
        int revisionPollMillis,

        @Setting(
                value = "Revisions in memory. A gateway that is only that far behind receives a delta.",
                defaultValue = "512",
                min = 1,
                max = 100_000)
        int revisionsInMemoryMax,

        @Setting(
                value = "Number of newest revisions that the history keeps completely. Of older ones it keeps "
                        + "checkpoints.",
                defaultValue = "100000",
                min = 100,
                max = 1_000_000_000)
        int revisionsKeptMax,

        @Setting(
                value = "Age up to which the history keeps all revisions, in days. The newest 100 are always kept. 0 "
                        + "removes the limit of age.",
                defaultValue = "365",
                min = 0,
                max = 36_500)
        int revisionsKeptDays,

        @Setting(
                value = "Length of a checkpoint span, in hours. Of older revisions, the last one in each span is "
                        + "kept as a checkpoint.",
                defaultValue = "24",
                min = 1,
                max = 8760)
        int revisionCheckpointHours,

        @Setting(
                value = "Number of kept checkpoints. With 0 no older revision is kept.",
                defaultValue = "1000",
                min = 0,
                max = 10_000)
        int revisionCheckpointsMax,

        @Setting(
                value = "Number of kept audit records. Of the deleted ones, the hash of the last is kept.",
                defaultValue = "1000000",
                min = 1000,
                max = 1_000_000_000)
        int auditKeptMax,

        @Setting(
                value = "Password of the user admin, which the first start creates. When absent, a password is "
                        + "generated and shown once, and the user must change it.",
                secret = true)
        @Nullable
        String adminPassword,

        @Setting(
                value = "Wrong passwords that an address may send for one user per minute. Then its logins as that "
                        + "user are answered 429.",
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
                value = "Routes, and upstreams, that a control plane counts separately at a time. Further ones are "
                        + "counted together.",
                defaultValue = "2000",
                min = 10,
                max = 100_000)
        int trafficSeriesMax,

        @Setting(
                value = "How long traffic figures are kept in slots of five seconds, in minutes.",
                defaultValue = "60",
                min = 5,
                max = 1440)
        int trafficFineMinutes,

        @Setting(
                value = "How long traffic figures are kept in slots of a minute, in minutes.",
                defaultValue = "1440",
                min = 60,
                max = 44_640)
        int trafficMinutes,

        @Setting(
                value = "How long state changes of nodes are kept, in hours.",
                defaultValue = "168",
                min = 1,
                max = 8760)
        int nodeHistoryHours,

        @Setting(value = "Number of kept state changes per node.", defaultValue = "200", min = 10, max = 10_000)
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
