package io.sigma.check;

import io.sigma.model.ClientAuth;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerHttp2;
import io.sigma.model.ServerLimits;
import io.sigma.model.ServerTls;
import io.sigma.model.ServerUdp;
import io.sigma.value.AddressRange;
import io.sigma.value.CertifiedKey;
import io.sigma.value.Mismatch;

/** Checks one proxy server by itself. */
final class ServerCheck {

    private static final Mismatch ONLY_HTTP = Mismatch.present("only with protocol HTTP or HTTPS");

    private static final Mismatch NOT_UDP = Mismatch.present("only with a protocol other than UDP");
    private static final Mismatch ONLY_RPC = Mismatch.present("only with protocol BOLT, DUBBO or THRIFT");

    private ServerCheck() {}

    static void check(Findings findings, ProxyServer server) {
        String host = server.host();
        boolean valid = Locations.isAddressOrName(host);
        findings.require(valid, Mismatch.quoted(host, "an IP address or a host name"), "host");
        findings.range(server.port(), 1, 65535, "port");
        boolean tls = server.protocol() == Protocol.HTTPS;
        findings.require(
                !tls || server.tls() != null,
                Mismatch.absent("certificates, or certPath and keyPath, for HTTPS"),
                "tls");
        boolean may = tls || server.protocol() == Protocol.TCP || StreamCheck.isRpc(server);
        findings.require(
                may || server.tls() == null,
                Mismatch.present("only with protocol HTTPS, TCP, BOLT, DUBBO or THRIFT"),
                "tls");
        if (StreamCheck.isStream(server)) {
            stream(findings, server);
        }
        if (StreamCheck.isDatagrams(server)) {
            datagrams(findings, server);
        } else {
            findings.require(server.udp() == null, Mismatch.present("only with protocol UDP"), "udp");
        }
        if (!StreamCheck.isRpc(server)) {
            ServerLimits standard = ServerLimits.builder().build();
            limit(findings, ONLY_RPC, server.limits().frameBytesMax(), standard.frameBytesMax(), "frameBytesMax");
            limit(findings, ONLY_RPC, server.limits().callsMax(), standard.callsMax(), "callsMax");
        }
        if (server.tls() != null) {
            serverTls(findings, server.tls());
        }
        boolean believed = server.proxyProtocol() == ProxyProtocol.OFF
                || !server.trustedProxies().isEmpty();
        findings.require(believed, Mismatch.of("[]", "the peers that send the PROXY protocol"), "trustedProxies");
        boolean spoken = server.http2().enabled() || !server.http2().only();
        findings.require(spoken, Mismatch.of("true", "false if http2 is not enabled"), "http2", "only");
        for (int i = 0; i < server.trustedProxies().size(); i++) {
            String range = server.trustedProxies().get(i);
            findings.parse(() -> AddressRange.parse(range), "trustedProxies", i);
        }
        if (server.plugins() != null) {
            PluginCheck.check(findings, server.plugins());
        }
    }

    private static void serverTls(Findings findings, ServerTls tls) {
        boolean paired = (tls.certPath() == null) == (tls.keyPath() == null);
        findings.require(paired, Mismatch.absent("both certPath and keyPath, or neither"), "tls", "keyPath");
        String standard = tls.defaultCertificateId();
        boolean presented = standard == null
                || tls.certificates().isEmpty()
                || tls.certificates().contains(standard);
        findings.require(presented, Mismatch.quoted(standard, "an id in certificates"), "tls", "defaultCertificateId");
        boolean trusts = tls.clientAuth() == ClientAuth.NONE || tls.clientCa() != null;
        findings.require(trusts, Mismatch.absent("authorities for clientAuth " + tls.clientAuth()), "tls", "clientCa");
        if (tls.clientCa() != null) {
            findings.parse(() -> CertifiedKey.chain(tls.clientCa()), "tls", "clientCa");
        }
        if (tls.clientSubjectHeader() != null) {
            Headers.checkSubjectName(findings, tls.clientSubjectHeader(), "tls", "clientSubjectHeader");
        }
    }

    /** Refuses fields that a proxy server without HTTP cannot have. */
    private static void stream(Findings findings, ProxyServer server) {
        findings.require(server.plugins() == null, ONLY_HTTP, "plugins");
        findings.require(server.http2().equals(ServerHttp2.builder().build()), ONLY_HTTP, "http2");
        boolean subject = server.tls() != null && server.tls().clientSubjectHeader() != null;
        findings.require(!subject, ONLY_HTTP, "tls", "clientSubjectHeader");
        ServerLimits given = server.limits();
        ServerLimits standard = ServerLimits.builder().build();
        limit(findings, given.headBytesMax(), standard.headBytesMax(), "headBytesMax");
        limit(findings, given.fieldsMax(), standard.fieldsMax(), "fieldsMax");
        limit(findings, given.targetBytesMax(), standard.targetBytesMax(), "targetBytesMax");
        limit(findings, given.bodyBytesMax(), standard.bodyBytesMax(), "bodyBytesMax");
        limit(findings, given.bodyBytesPerSecondMin(), standard.bodyBytesPerSecondMin(), "bodyBytesPerSecondMin");
        limit(findings, given.bodyRatePeriodMillis(), standard.bodyRatePeriodMillis(), "bodyRatePeriodMillis");
        limit(
                findings,
                given.responseBytesPerSecondMin(),
                standard.responseBytesPerSecondMin(),
                "responseBytesPerSecondMin");
    }

    private static void limit(Findings findings, Number given, Number standard, String field) {
        limit(findings, ONLY_HTTP, given, standard, field);
    }

    private static void limit(Findings findings, Mismatch only, Number given, Number standard, String field) {
        findings.require(given.equals(standard), only, "limits", field);
    }

    /**
     * Checks a proxy server without connections (UDP): it has no settings of connections, and a session may wait as
     * long as it may be idle.
     */
    private static void datagrams(Findings findings, ProxyServer server) {
        findings.require(server.trustedProxies().isEmpty(), NOT_UDP, "trustedProxies");
        findings.require(server.proxyProtocol() == ProxyProtocol.OFF, NOT_UDP, "proxyProtocol");
        ServerLimits given = server.limits();
        ServerLimits standard = ServerLimits.builder().build();
        findings.require(
                given.idleTimeoutMillis().equals(standard.idleTimeoutMillis()), NOT_UDP, "limits", "idleTimeoutMillis");
        findings.require(
                given.streamIdleTimeoutMillis().equals(standard.streamIdleTimeoutMillis()),
                NOT_UDP,
                "limits",
                "streamIdleTimeoutMillis");
        findings.require(
                given.headTimeoutMillis().equals(standard.headTimeoutMillis()), NOT_UDP, "limits", "headTimeoutMillis");
        ServerUdp udp = server.udp();
        if (udp == null) {
            return;
        }
        findings.range(udp.idleTimeoutMillis(), 100, 86_400_000, "udp", "idleTimeoutMillis");
        findings.range(udp.responsesMax(), 1, 1_000_000, "udp", "responsesMax");
        findings.range(udp.responseTimeoutMillis(), 10, 3_600_000, "udp", "responseTimeoutMillis");
        findings.range(udp.sessionsPerAddressMax(), 1, 1_000_000, "udp", "sessionsPerAddressMax");
        findings.range(udp.datagramBytesMax(), 1, 65_507, "udp", "datagramBytesMax");
        Integer waits = udp.responseTimeoutMillis();
        findings.require(
                waits == null || waits <= udp.idleTimeoutMillis(),
                Mismatch.of(String.valueOf(waits), "at most idleTimeoutMillis: " + udp.idleTimeoutMillis()),
                "udp",
                "responseTimeoutMillis");
    }
}
