package io.sigma.identity;

import io.sigma.value.ResourceId;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identity of the holder of a cluster certificate, in one subject alternative name of type URI: {@code
 * sigma://control-plane/<id>} or {@code sigma://gateway/<id>}. Host names play no part: peers check the cluster's
 * authority and the role.
 *
 * @param id as {@link ResourceId} says
 */
public record PeerIdentity(Role role, String id) {

    /** The role of a peer, which decides what it may do. */
    public enum Role {
        CONTROL_PLANE,
        GATEWAY;

        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static final int URI_NAME = 6;
    private static final Pattern URI = Pattern.compile("sigma://(control-plane|gateway)/(.*)");

    /** @throws IllegalArgumentException when {@code id} is none */
    public PeerIdentity {
        if (!ResourceId.isValid(id)) {
            throw new IllegalArgumentException("id: \"" + id + "\" (expected: " + ResourceId.EXPECTATION + ")");
        }
    }

    /** Returns the subject alternative name. */
    public String uri() {
        return "sigma://" + role.label() + "/" + id;
    }

    /**
     * Returns whom {@code certificate} names; says nothing about whether it can be trusted.
     *
     * @throws CertificateException when it names nobody of a cluster, or several
     */
    public static PeerIdentity of(X509Certificate certificate) throws CertificateException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        PeerIdentity found = null;
        for (List<?> name : names == null ? List.<List<?>>of() : names) {
            if (name.get(0) instanceof Integer type && type == URI_NAME && name.get(1) instanceof String uri) {
                PeerIdentity identity = parse(uri);
                if (found != null) {
                    throw new CertificateException("certificate names both " + found + " and " + identity);
                }
                found = identity;
            }
        }
        if (found == null) {
            throw new CertificateException("certificate of \"" + certificate.getSubjectX500Principal()
                    + "\" (expected: a subject alternative name sigma://<role>/<id>)");
        }
        return found;
    }

    private static PeerIdentity parse(String uri) throws CertificateException {
        Matcher matcher = URI.matcher(uri);
        if (!matcher.matches()) {
            throw new CertificateException(
                    "certificate names \"" + uri + "\" (expected: sigma://control-plane/<id> or sigma://gateway/<id>)");
        }
        Role role = matcher.group(1).equals(Role.GATEWAY.label()) ? Role.GATEWAY : Role.CONTROL_PLANE;
        try {
            return new PeerIdentity(role, matcher.group(2));
        } catch (IllegalArgumentException e) {
            throw new CertificateException("certificate names \"" + uri + "\": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return role.label() + " " + id;
    }
}
