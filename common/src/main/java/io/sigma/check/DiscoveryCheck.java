package io.sigma.check;

import io.sigma.model.DnsRecords;
import io.sigma.model.NodeDiscovery;
import io.sigma.value.Addresses;
import io.sigma.value.DnsServer;
import io.sigma.value.Mismatch;
import io.sigma.value.NodeUrl;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks what is said of discovery. */
final class DiscoveryCheck {

    private static final String AT = "discovery";
    private static final String STATIC = "STATIC";
    private static final String DNS = "DNS";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?");
    private static final Pattern TYPE = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

    private DiscoveryCheck() {}

    static boolean isStatic(@Nullable NodeDiscovery discovery) {
        return discovery == null || discovery.type().equals(STATIC);
    }

    static void check(Findings findings, @Nullable NodeDiscovery discovery) {
        if (discovery == null) {
            return;
        }
        String type = discovery.type();
        Mismatch expected = Mismatch.quoted(type, "STATIC, DNS or the name of a discovery");
        findings.require(TYPE.matcher(type).matches(), expected, AT, "type");
        boolean dns = type.equals(DNS);
        String url = discovery.url();
        findings.require(!dns || url != null, Mismatch.absent("a URL with the name to look up"), AT, "url");
        findings.require(!isStatic(discovery) || url == null, Mismatch.present("not with STATIC"), AT, "url");
        if (url != null) {
            findings.parse(
                    () -> {
                        String host = NodeUrl.parse(url).host();
                        boolean literal = Addresses.isIpv4(host) || Addresses.isIpv6(host);
                        Mismatch detail = Mismatch.quoted(url, "a name, not an address");
                        findings.require(!dns || !literal, detail, AT, "url");
                    },
                    AT,
                    "url");
        }
        String name = discovery.name();
        findings.require(dns || name == null, Mismatch.present("only with DNS"), AT, "name");
        findings.require(name == null || NAME.matcher(name).matches(), Mismatch.quoted(name, "a DNS name"), AT, "name");
        boolean srv = discovery.records() == DnsRecords.SRV;
        findings.require(dns || !srv, Mismatch.of("SRV", "only with DNS"), AT, "records");
        findings.require(dns || discovery.servers().isEmpty(), Mismatch.present("only with DNS"), AT, "servers");
        for (int i = 0; i < discovery.servers().size(); i++) {
            String server = discovery.servers().get(i);
            findings.parse(() -> DnsServer.parse(server), AT, "servers", i);
        }
        boolean module = !dns && !isStatic(discovery);
        findings.require(
                module || discovery.settings().isEmpty(),
                Mismatch.present("only with a discovery that a module provides"),
                AT,
                "settings");
        findings.range(discovery.refreshMillisMin(), 100, 3_600_000, AT, "refreshMillisMin");
        findings.range(discovery.refreshMillisMax(), discovery.refreshMillisMin(), 86_400_000, AT, "refreshMillisMax");
        findings.range(discovery.timeoutMillis(), 10, 60_000, AT, "timeoutMillis");
    }
}
