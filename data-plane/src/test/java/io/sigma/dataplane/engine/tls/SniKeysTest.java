package io.sigma.dataplane.engine.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.Certificate;
import io.sigma.model.ClientAuth;
import io.sigma.value.CertifiedKey;
import io.vertx.core.net.KeyCertOptions;
import java.security.PrivateKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SniKeysTest {

    private static CertifiedKey key(String name) throws Exception {
        Certificate certificate = TestTls.create(name, name + ".example").resource(name);
        return CertifiedKey.parse(certificate.chain(), String.valueOf(certificate.privateKey()));
    }

    private static TlsMaterial material(CertifiedKey... keys) {
        return new TlsMaterial(List.of(keys), keys[0], false, ClientAuth.NONE, null);
    }

    private static @Nullable String standard(SniKeys keys) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        return keys.chooseEngineServerAlias("EC", null, engine);
    }

    /** OpenSSL keeps what it parsed by the alias, up to a hundred thousand, and never lets go of it. */
    @Test
    void keyThatStaysKeepsItsAliasHoweverOftenOthersChange() throws Exception {
        CertifiedKey stays = key("stays");
        SniKeys keys = new SniKeys(material(stays, key("other")));
        Set<@Nullable String> aliases = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            aliases.add(standard(keys));
            keys.replace(material(stays, key("other" + i)));
        }
        assertThat(aliases).hasSize(1).doesNotContainNull();
        assertThat(keys.getPrivateKey(String.valueOf(aliases.iterator().next())))
                .isEqualTo(stays.key());
    }

    @Test
    void aliasNeverMeansAnotherKey() throws Exception {
        SniKeys keys = new SniKeys(material(key("one")));
        Set<@Nullable String> aliases = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            aliases.add(standard(keys));
            keys.replace(material(key("next" + i)));
        }
        assertThat(aliases).hasSize(5);
    }

    @Test
    void certificateOfTwoResourcesIsOneKey() throws Exception {
        CertifiedKey one = key("one");
        SniKeys keys = new SniKeys(material(one, one, key("other")));
        assertThat(keys.servesAlike("one.example", "one.example")).isTrue();
        assertThat(keys.servesAlike("one.example", "other.example")).isFalse();
    }

    /** Netty shares what it parsed of the same key, and counts wrongly when two event loops ask at once. */
    @Test
    void openSslGetsAnotherObjectOfAKeyEachTime() throws Exception {
        CertifiedKey one = key("one");
        SniKeys keys = new SniKeys(material(one));
        String alias = String.valueOf(standard(keys));
        KeyManagerFactory all = KeyCertOptions.wrap(keys).getKeyManagerFactory(null);
        X509ExtendedKeyManager shown =
                (X509ExtendedKeyManager) KeysForOpenSsl.of(all).getKeyManagers()[0];

        PrivateKey first = shown.getPrivateKey(alias);
        assertThat(first).isNotSameAs(shown.getPrivateKey(alias));
        assertThat(first.getEncoded()).isEqualTo(one.key().getEncoded());
        assertThat(first).hasToString("[redacted]");
        assertThat(shown.getCertificateChain(alias)).containsExactly(one.chain().getFirst());
    }
}
