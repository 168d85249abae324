package io.sigma.controlplane.settings;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a control plane. Secrets are null until the process has filled them in.
 *
 * @param adminHost address that the admin API and the dashboard listen on
 * @param adminPort port of the admin API and the dashboard; 0 takes a free one
 * @param dataDir folder of generated secrets
 * @param databaseUrl {@code postgresql://user:password@host:port/database[?sslmode=…]}
 * @param adminToken bearer token of the admin API; generated and kept in {@code dataDir} when absent
 * @param secretKey key for secrets at rest
 * @param joinToken lets a gateway enroll; generated and kept in {@code dataDir} when absent
 * @param clusterHost address that gateways connect to
 * @param clusterPort port that gateways connect to; 0 takes a free one
 * @param controlPlaneId how this control plane is named; generated and kept in {@code dataDir} when absent
 * @param upstreamAllow hosts, addresses and CIDR blocks that nodes may name although they are link-local, cloud metadata
 *     or this process
 * @param bodyBytesMax largest request body
 * @param importBytesMax largest imported file
 * @param databasePoolSize connections to PostgreSQL
 * @param databaseQueueMax requests that wait for a connection to PostgreSQL
 * @param databaseTimeoutMillis longest wait for a connection or an answer of PostgreSQL
 * @param databaseStartMillis longest wait for PostgreSQL at start
 * @param revisionPollMillis interval of asking for revisions whose notification was lost
 * @param revisionsRecent revisions kept in memory for gateways that are a little behind
 * @param eventClientsMax clients of the event stream
 * @param loginFailuresPerMinute wrong tokens an address may present before it must wait
 */
public record ControlPlaneSettings(
        String adminHost,
        int adminPort,
        Path dataDir,
        @Nullable String databaseUrl,
        @Nullable String adminToken,
        @Nullable String secretKey,
        @Nullable String joinToken,
        String clusterHost,
        int clusterPort,
        @Nullable String controlPlaneId,
        List<String> upstreamAllow,
        int bodyBytesMax,
        int importBytesMax,
        int databasePoolSize,
        int databaseQueueMax,
        int databaseTimeoutMillis,
        int databaseStartMillis,
        int revisionPollMillis,
        int revisionsRecent,
        int eventClientsMax,
        int loginFailuresPerMinute) {}
