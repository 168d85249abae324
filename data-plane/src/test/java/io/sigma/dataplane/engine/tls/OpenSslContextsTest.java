package io.sigma.dataplane.engine.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.ClientAuth;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.value.CertifiedKey;
import java.security.KeyStore;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

/** Which sessions a context resumes. */
final class OpenSslContextsTest {

    private static TrustManagerFactory authority(String name) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        String chain = TestTls.create(name, name + ".example").resource(name).chain();
        store.setCertificateEntry(name, CertifiedKey.chain(chain).getFirst());
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }

    @Test
    void sessionsOfOnePolicyAreResumedByEachOfItsContexts() throws Exception {
        TrustManagerFactory authority = authority("one");

        assertThat(OpenSslContexts.sessionIdContext(ClientAuth.NONE, null))
                .isEqualTo(OpenSslContexts.sessionIdContext(ClientAuth.NONE, NobodyTrusted.FACTORY));
        assertThat(OpenSslContexts.sessionIdContext(ClientAuth.REQUIRE, authority))
                .isEqualTo(OpenSslContexts.sessionIdContext(ClientAuth.REQUIRE, authority));
    }

    @Test
    void sessionsOfAnotherPolicyAreNot() throws Exception {
        TrustManagerFactory authority = authority("one");
        byte[] required = OpenSslContexts.sessionIdContext(ClientAuth.REQUIRE, authority);

        assertThat(OpenSslContexts.sessionIdContext(ClientAuth.NONE, null)).isNotEqualTo(required);
        assertThat(OpenSslContexts.sessionIdContext(ClientAuth.OPTIONAL, authority))
                .isNotEqualTo(required);
        assertThat(OpenSslContexts.sessionIdContext(ClientAuth.REQUIRE, authority("two")))
                .isNotEqualTo(required);
    }
}
