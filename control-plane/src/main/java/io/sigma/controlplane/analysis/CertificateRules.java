package io.sigma.controlplane.analysis;

import io.sigma.json.JsonPointer;
import io.sigma.model.Certificate;
import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import java.time.Duration;
import java.util.function.Consumer;

/** Looks at certificates. */
final class CertificateRules {

    /**
     * So long before its end a certificate is worth a warning: a third of the life of those that are renewed by
     * machines.
     */
    static final Duration SOON = Duration.ofDays(30);

    private CertificateRules() {}

    static void check(Facts facts, Certificate certificate, Consumer<Finding> found) {
        String id = String.valueOf(certificate.id());
        if (facts.references().to(Kind.CERTIFICATE, id).isEmpty()
                && facts.state().proxyServers().values().stream().noneMatch(CertificateRules::presentsAll)) {
            found.accept(Rule.CERTIFICATE_UNUSED.found(
                    Kind.CERTIFICATE, id, "", "No proxy server and no upstream presents this certificate."));
        }
        CertificateFacts.Read read = facts.certificates().of(certificate);
        if (read == null) {
            return;
        }
        String of = "The certificate of "
                + String.join(", ", read.hosts().stream().limit(10).toList());
        String chain = JsonPointer.of("chain");
        if (facts.now().isAfter(read.last())) {
            found.accept(Rule.CERTIFICATE_EXPIRED.found(
                    Kind.CERTIFICATE, id, chain, of + " expired at " + read.last() + "."));
        } else if (facts.now().isBefore(read.first())) {
            found.accept(Rule.CERTIFICATE_EXPIRED.found(
                    Kind.CERTIFICATE, id, chain, of + " is not valid before " + read.first() + "."));
        } else if (facts.now().isAfter(read.last().minus(SOON))) {
            found.accept(Rule.CERTIFICATE_EXPIRING.found(
                    Kind.CERTIFICATE,
                    id,
                    chain,
                    of + " expires at " + read.last() + ", in less than " + SOON.toDays() + " days."));
        }
    }

    /** Returns whether a proxy server presents whatever certificates there are. */
    static boolean presentsAll(ProxyServer server) {
        ServerTls tls = server.tls();
        return tls != null && tls.certificates().isEmpty() && tls.certPath() == null;
    }
}
