package io.sigma.check;

import io.sigma.json.JsonPointer;
import io.sigma.model.Certificate;
import io.sigma.model.ClientAuth;
import io.sigma.model.Consumer;
import io.sigma.model.FieldError;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.ServerTls;
import io.sigma.model.Upstream;
import io.sigma.value.AddressRange;
import io.sigma.value.CertifiedKey;
import io.sigma.value.HostPattern;
import io.sigma.value.MediaRange;
import io.sigma.value.Mismatch;
import io.sigma.value.PathPattern;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks one resource by itself, without what it refers to. */
public final class ResourceCheck {

    private ResourceCheck() {}

    /** Returns what is wrong with {@code resource}, a model record; pointers are relative to it. */
    public static List<FieldError> check(Object resource) {
        Findings findings = new Findings();
        switch (resource) {
            case ProxyServer server -> proxyServer(findings, server);
            case Router router -> router(findings, router);
            case Route route -> route(findings, route);
            case ProxyPass pass -> proxyPass(findings, pass);
            case Upstream upstream -> UpstreamCheck.check(findings, upstream);
            case Consumer consumer -> ConsumerCheck.check(findings, consumer);
            case Certificate certificate -> certificate(findings, certificate);
            default -> throw new IllegalArgumentException("no resource: " + resource.getClass());
        }
        for (GatewayPath path : GatewayPath.of(resource)) {
            Mismatch problem = path.problem();
            if (problem != null) {
                findings.add(Faults.of(path.pointer(), problem));
            }
        }
        return findings.errors();
    }

    private static void proxyServer(Findings findings, ProxyServer server) {
        String host = server.host();
        boolean valid = Locations.isAddressOrName(host);
        findings.require(valid, Mismatch.quoted(host, "an IP address or a host name"), "host");
        findings.range(server.port(), 1, 65535, "port");
        boolean tls = server.protocol() == Protocol.HTTPS;
        findings.require(
                !tls || server.tls() != null,
                Mismatch.absent("certificates, or certPath and keyPath, for HTTPS"),
                "tls");
        findings.require(tls || server.tls() == null, Mismatch.present("only with protocol HTTPS"), "tls");
        if (server.tls() != null) {
            serverTls(findings, server.tls());
        }
        boolean believed = server.proxyProtocol() == ProxyProtocol.OFF
                || !server.trustedProxies().isEmpty();
        findings.require(believed, Mismatch.of("[]", "the peers that send the PROXY protocol"), "trustedProxies");
        boolean spoken = server.http2().enabled() || !server.http2().only();
        findings.require(spoken, Mismatch.of("true", "false where http2 is not enabled"), "http2", "only");
        for (int i = 0; i < server.trustedProxies().size(); i++) {
            String range = server.trustedProxies().get(i);
            findings.parse(() -> AddressRange.parse(range), "trustedProxies", i);
        }
        plugins(findings, server.plugins());
    }

    private static void serverTls(Findings findings, ServerTls tls) {
        boolean paired = (tls.certPath() == null) == (tls.keyPath() == null);
        findings.require(paired, Mismatch.absent("both certPath and keyPath, or neither"), "tls", "keyPath");
        String standard = tls.defaultCertificateId();
        boolean presented = standard == null
                || tls.certificates().isEmpty()
                || tls.certificates().contains(standard);
        findings.require(presented, Mismatch.quoted(standard, "one of certificates"), "tls", "defaultCertificateId");
        boolean trusts = tls.clientAuth() == ClientAuth.NONE || tls.clientCa() != null;
        findings.require(trusts, Mismatch.absent("authorities for clientAuth " + tls.clientAuth()), "tls", "clientCa");
        if (tls.clientCa() != null) {
            findings.parse(() -> CertifiedKey.chain(tls.clientCa()), "tls", "clientCa");
        }
        if (tls.clientSubjectHeader() != null) {
            Headers.checkSubjectName(findings, tls.clientSubjectHeader(), "tls", "clientSubjectHeader");
        }
    }

    private static void certificate(Findings findings, Certificate certificate) {
        int before = findings.errors().size();
        findings.parse(() -> CertifiedKey.chain(certificate.chain()), "chain");
        String key = certificate.privateKey();
        findings.require(key != null, Mismatch.absent("the private key of the first certificate"), "privateKey");
        if (key != null && findings.errors().size() == before) {
            findings.parse(() -> CertifiedKey.parse(certificate.chain(), key), "privateKey");
        }
    }

    private static void router(Findings findings, Router router) {
        Set<HostPattern> seen = new HashSet<>();
        for (int i = 0; i < router.hosts().size(); i++) {
            String host = router.hosts().get(i);
            String place = JsonPointer.of("hosts", i);
            findings.parse(
                    () -> {
                        if (!seen.add(HostPattern.parse(host))) {
                            findings.add(Faults.duplicate(place, "\"" + host + "\"", "each host once, in any case"));
                        }
                    },
                    "hosts",
                    i);
        }
        plugins(findings, router.plugins());
    }

    private static void route(Findings findings, Route route) {
        // Whether empty segments count is said by the router; one that merges them merges those of the pattern too.
        findings.parse(() -> PathPattern.parse(route.path(), false), "path");
        RouteConditionCheck.check(findings, route);
        for (int i = 0; i < route.methods().size(); i++) {
            Methods.check(findings, route.methods().get(i), "methods", i);
        }
        mediaRanges(findings, route.consumes(), "consumes");
        mediaRanges(findings, route.produces(), "produces");
        plugins(findings, route.plugins());
    }

    private static void mediaRanges(Findings findings, List<String> ranges, String field) {
        for (int i = 0; i < ranges.size(); i++) {
            String range = ranges.get(i);
            findings.parse(() -> MediaRange.parse(range), field, i);
        }
    }

    private static void proxyPass(Findings findings, ProxyPass pass) {
        ProxyPassCheck.check(findings, pass);
        UpstreamCheck.subset(findings, pass);
        Headers.checkRequestEdits(findings.at("requestHeaders"), pass.requestHeaders());
        Headers.checkEdits(findings.at("responseHeaders"), pass.responseHeaders());
        plugins(findings, pass.plugins());
    }

    private static void plugins(Findings findings, @Nullable Plugins plugins) {
        if (plugins != null) {
            PluginCheck.check(findings, plugins);
        }
    }
}
