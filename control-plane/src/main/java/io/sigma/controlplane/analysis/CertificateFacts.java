package io.sigma.controlplane.analysis;

import io.sigma.model.Certificate;
import io.sigma.value.CertifiedKey;
import io.sigma.value.HostPattern;
import io.sigma.value.InvalidValue;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The contents of the certificates of the configuration, read once. Confined to the analysis. */
final class CertificateFacts {

    /**
     * The fields of a certificate that rules need.
     *
     * @param source the resource that it was read from
     * @param first from when the whole chain is valid
     * @param last until when the whole chain is valid
     * @param hosts names, some with a leading wildcard label, in lower case
     */
    record Read(Certificate source, Instant first, Instant last, List<String> hosts) {

        /**
         * Returns whether it is for {@code host}: a name, or a pattern of a router, which it must be for as a whole.
         */
        boolean isFor(HostPattern host) {
            return hosts.stream().anyMatch(name -> isFor(name, host));
        }

        /** RFC 9525 §6.3: a wildcard stands for one label. */
        private static boolean isFor(String name, HostPattern host) {
            if (name.equals(host.toString())) {
                return true;
            }
            int dot = host.name().indexOf('.');
            return !host.wildcard()
                    && dot > 0
                    && name.startsWith("*.")
                    && host.name().substring(dot + 1).equals(name.substring(2));
        }
    }

    private final Map<String, Read> known = new HashMap<>();

    /** Returns what a certificate says; null when it cannot be read. */
    @Nullable
    Read of(Certificate certificate) {
        String id = String.valueOf(certificate.id());
        Read read = known.get(id);
        if (read == null || !read.source().chain().equals(certificate.chain())) {
            read = read(certificate);
            if (read == null) {
                known.remove(id);
            } else {
                known.put(id, read);
            }
        }
        return read;
    }

    void forget(String id) {
        known.remove(id);
    }

    private static @Nullable Read read(Certificate certificate) {
        try {
            List<X509Certificate> chain = CertifiedKey.chain(certificate.chain());
            Instant first = chain.stream()
                    .map(one -> one.getNotBefore().toInstant())
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            Instant last = chain.stream()
                    .map(one -> one.getNotAfter().toInstant())
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
            return new Read(certificate, first, last, CertifiedKey.hosts(chain));
        } catch (InvalidValue e) {
            // Not written by this version, which refuses it.
            return null;
        }
    }
}
