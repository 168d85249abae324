package io.sigma.fuzz;

import io.sigma.identity.Pem;
import io.sigma.value.InvalidValue;
import io.sigma.value.PemText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Fields with PEM: what passes as certificates has no key in it, and passes again. */
public final class PemFuzz {

    private PemFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        String text = new String(data, StandardCharsets.ISO_8859_1);
        try {
            List<String> kinds = PemText.kinds(text);
            String certificates = PemText.certificates(text);
            if (certificates.contains("KEY-----")
                    || PemText.kinds(certificates).stream().anyMatch(kind -> kind.contains("KEY"))) {
                throw new AssertionError("a key among certificates");
            }
            if (kinds.stream().allMatch("CERTIFICATE"::equals)
                    && PemText.kinds(certificates).size() != kinds.size()) {
                throw new AssertionError("certificates are lost");
            }
        } catch (InvalidValue e) {
            // The declared answer to invalid input; any other exception is a finding.
        }
        try {
            Pem.certificate(text);
        } catch (IllegalArgumentException e) {
            // The declared answer to invalid input; any other exception is a finding.
        }
        try {
            Pem.privateKey(text);
        } catch (IllegalArgumentException e) {
            // The declared answer to invalid input; any other exception is a finding.
        }
    }
}
