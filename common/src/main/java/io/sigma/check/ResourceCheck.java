package io.sigma.check;

import io.sigma.json.JsonPointer;
import io.sigma.model.Certificate;
import io.sigma.model.Consumer;
import io.sigma.model.FieldError;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
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
            case ProxyServer server -> ServerCheck.check(findings, server);
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
                            findings.add(
                                    Faults.duplicate(place, "\"" + host + "\"", "each host once, case-insensitive"));
                        }
                    },
                    "hosts",
                    i);
        }
        if (router.match() != null) {
            StreamMatchCheck.check(findings.at("match"), router.match());
        }
        plugins(findings, router.plugins());
    }

    private static void route(Findings findings, Route route) {
        // The router decides if empty segments count. A router that merges them merges those of the pattern too.
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
