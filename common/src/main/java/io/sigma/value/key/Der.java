package io.sigma.value.key;

import java.io.ByteArrayOutputStream;
import java.security.PublicKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What keys need of DER (X.690). The bytes are of keys that the JDK has read, or will read. Pure. */
public final class Der {

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 4;
    private static final int BITS = 3;
    /** {@code [1]}, constructed: the public key within that of an elliptic curve (RFC 5915 §3). */
    private static final int PUBLIC_KEY = 0xa1;

    private static final byte[] VERSION_0 = {2, 1, 0};

    private Der() {}

    /** Returns a PKCS #1 or SEC 1 key in PKCS #8, with the algorithm that the certificate names for it. */
    public static byte[] pkcs8(byte[] key, PublicKey publicKey) {
        byte[] spki = publicKey.getEncoded();
        int at = header(spki, 0);
        int end = header(spki, at) + length(spki, at);
        byte[] algorithm = Arrays.copyOfRange(spki, at, end);
        return der(SEQUENCE, VERSION_0, algorithm, der(OCTETS, key));
    }

    /** Returns where the content of the element at {@code at} begins. */
    private static int header(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            length = (length << 8) | (der[at + 2 + i] & 0xff);
        }
        return length;
    }

    static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream der = new ByteArrayOutputStream();
        der.write(tag);
        int length = content.size();
        if (length < 0x80) {
            der.write(length);
        } else if (length < 0x100) {
            der.write(0x81);
            der.write(length);
        } else {
            der.write(0x82);
            der.write(length >> 8);
            der.write(length);
        }
        der.writeBytes(content.toByteArray());
        return der.toByteArray();
    }

    /**
     * Returns the public key that {@code pkcs8}, the key of an elliptic curve, carries: a bit string. It is optional,
     * and null when it is absent.
     */
    static byte @Nullable [] publicPoint(byte[] pkcs8) {
        int at = header(pkcs8, 0);
        int end = at + length(pkcs8, 0);
        while (at < end && (pkcs8[at] & 0xff) != OCTETS) {
            at = after(pkcs8, at);
        }
        if (at >= end) {
            return null;
        }
        int key = header(pkcs8, at);
        int keyEnd = header(pkcs8, key) + length(pkcs8, key);
        int part = header(pkcs8, key);
        while (part < keyEnd && (pkcs8[part] & 0xff) != PUBLIC_KEY) {
            part = after(pkcs8, part);
        }
        return part < keyEnd ? Arrays.copyOfRange(pkcs8, header(pkcs8, part), after(pkcs8, part)) : null;
    }

    /** Returns the bit string of {@code spki}, the X.509 form of a public key. */
    static byte[] bits(byte[] spki) {
        int at = header(spki, 0);
        while ((spki[at] & 0xff) != BITS) {
            at = after(spki, at);
        }
        return Arrays.copyOfRange(spki, at, after(spki, at));
    }

    private static int after(byte[] der, int at) {
        return header(der, at) + length(der, at);
    }
}
