package io.sigma.dataplane.engine.accept;

import io.sigma.dataplane.engine.tls.ClientHello;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLSession;
import javax.net.ssl.StandardConstants;
import org.jspecify.annotations.Nullable;

/** The names that clients ask for in handshakes that the gateway completed. */
public final class DecryptedNames {

    private DecryptedNames() {}

    /** Returns the name of a complete handshake in lower case; null for none, or in plaintext. */
    public static @Nullable String of(@Nullable SSLSession session) {
        if (session instanceof ExtendedSSLSession extended) {
            for (SNIServerName name : extended.getRequestedServerNames()) {
                if (name.getType() == StandardConstants.SNI_HOST_NAME) {
                    return ClientHello.hostName(new String(name.getEncoded(), StandardCharsets.ISO_8859_1));
                }
            }
        }
        return null;
    }
}
