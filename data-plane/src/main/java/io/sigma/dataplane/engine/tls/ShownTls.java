package io.sigma.dataplane.engine.tls;

import io.netty.handler.ssl.SslHandler;
import io.sigma.dataplane.upstream.proxied.ProxiedTls;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Reads what a client has shown in its TLS handshake. */
public final class ShownTls {

    private ShownTls() {}

    /** Returns what a PROXY header says about a connection whose handshake is over; to be called on its event loop. */
    public static ProxiedTls of(SslHandler encryption) {
        SSLSession session = encryption.engine().getSession();
        return new ProxiedTls(
                session.getProtocol(),
                SniKeys.requestedName(session),
                encryption.applicationProtocol(),
                certificate(encryption.engine()));
    }

    /**
     * Returns whether a certificate that the client has shown is not valid any more. A handshake that resumes a session
     * does not look at it again, and a session can be resumed for longer than the certificate is valid (RFC 5280
     * §4.1.2.5).
     *
     * @param engine of a listener, whose handshake is over
     */
    public static boolean isExpired(SSLEngine engine) {
        if (!isAsked(engine)) {
            return false;
        }
        Instant now = Instant.now();
        try {
            for (Certificate shown : engine.getSession().getPeerCertificates()) {
                if (shown instanceof X509Certificate known
                        && now.isAfter(known.getNotAfter().toInstant())) {
                    return true;
                }
            }
            return false;
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }

    /**
     * Returns the subject of the client's certificate, null when it has shown none.
     *
     * @param engine of a listener, whose handshake is over
     */
    public static @Nullable String subject(SSLEngine engine) {
        if (!isAsked(engine)) {
            return null;
        }
        try {
            return engine.getSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    /** Returns whether the client may have shown a certificate. Without one a session answers with an exception. */
    private static boolean isAsked(SSLEngine engine) {
        return engine.getNeedClientAuth() || engine.getWantClientAuth();
    }

    private static ProxiedTls.@Nullable Certificate certificate(SSLEngine engine) {
        if (!isAsked(engine)) {
            return null;
        }
        try {
            Certificate first = engine.getSession().getPeerCertificates()[0];
            String name = first instanceof X509Certificate known
                    ? commonName(known.getSubjectX500Principal().getName())
                    : null;
            return new ProxiedTls.Certificate(name);
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    /**
     * Returns the common name of {@code subject}, of several the most specific one; null for none, or for one that is
     * not text.
     *
     * @param subject in the form of RFC 2253
     */
    static @Nullable String commonName(String subject) {
        try {
            LdapName name = new LdapName(subject);
            for (int i = name.size() - 1; i >= 0; i--) {
                Rdn part = name.getRdn(i);
                if (part.getType().equalsIgnoreCase("CN")) {
                    return part.getValue() instanceof String text ? text : null;
                }
            }
        } catch (InvalidNameException e) {
            // A certificate may have a subject that has no such form, which says nothing then.
        }
        return null;
    }
}
