package io.sigma.value.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPairsTest {

    private static KeyPair pair(String algorithm) throws GeneralSecurityException {
        if (algorithm.startsWith("secp")) {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(algorithm));
            return generator.generateKeyPair();
        }
        return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "secp256r1", "secp384r1", "Ed25519"})
    void twoKeysOfOnePairBelongTogetherAndTwoOfTwoPairsDoNot(String algorithm) throws Exception {
        KeyPair one = pair(algorithm);
        KeyPair other = pair(algorithm);

        assertThat(KeyPairs.belongTogether(one.getPublic(), one.getPrivate())).isTrue();
        assertThat(KeyPairs.belongTogether(one.getPublic(), other.getPrivate())).isFalse();
    }

    @Test
    void keysOfTwoCurvesDoNotBelongTogether() throws Exception {
        assertThat(KeyPairs.belongTogether(
                        pair("secp256r1").getPublic(), pair("secp384r1").getPrivate()))
                .isFalse();
    }

    /** OpenSSL writes the public key into each private key of an elliptic curve, the JDK does not. */
    @Test
    void keyThatCarriesItsPublicKeyNeedsNoSignature() throws Exception {
        KeyPair pair = pair("secp256r1");
        PrivateKey key = carrying(pair.getPrivate(), pair);

        assertThat(Der.publicPoint(pair.getPrivate().getEncoded())).isNull();
        assertThat(Der.publicPoint(key.getEncoded()))
                .isEqualTo(Der.bits(pair.getPublic().getEncoded()));
        assertThat(KeyPairs.belongTogether(pair.getPublic(), key)).isTrue();
        assertThat(KeyPairs.belongTogether(pair("secp256r1").getPublic(), key)).isFalse();
    }

    @Test
    void signatureDecidesWhereAKeyCarriesAnotherPublicKey() throws Exception {
        KeyPair pair = pair("secp256r1");

        assertThat(KeyPairs.belongTogether(pair.getPublic(), carrying(pair.getPrivate(), pair("secp256r1"))))
                .isTrue();
    }

    /** Returns {@code key} in PKCS #8 as OpenSSL writes it (RFC 5915), with the public key of {@code pair} in it. */
    private static PrivateKey carrying(PrivateKey key, KeyPair pair) throws GeneralSecurityException {
        byte[] scalar = new byte[32];
        byte[] value = ((ECPrivateKey) key).getS().toByteArray();
        int from = Math.max(0, value.length - scalar.length);
        System.arraycopy(value, from, scalar, scalar.length - (value.length - from), value.length - from);
        byte[] own = Der.der(
                0x30,
                new byte[] {2, 1, 1},
                Der.der(4, scalar),
                Der.der(0xa1, Der.bits(pair.getPublic().getEncoded())));
        byte[] spki = pair.getPublic().getEncoded();
        byte[] algorithm = Arrays.copyOfRange(spki, 2, 2 + 2 + spki[3]);
        byte[] pkcs8 = Der.der(0x30, new byte[] {2, 1, 0}, algorithm, Der.der(4, own));
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }
}
