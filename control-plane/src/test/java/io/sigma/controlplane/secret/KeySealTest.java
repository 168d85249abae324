package io.sigma.controlplane.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;

class KeySealTest {

    private static final byte[] PLAIN = "a private key".getBytes(StandardCharsets.UTF_8);
    private static final byte[] CONTEXT = "its certificate".getBytes(StandardCharsets.UTF_8);

    @Test
    void whatIsSealedOpensWithTheSameSecretAndContextOnly() throws Exception {
        byte[] sealed = new KeySeal(new KeyRing("secret", null), "test").seal(PLAIN, CONTEXT);

        assertThat(new KeySeal(new KeyRing("secret", null), "test").open(sealed, CONTEXT))
                .isEqualTo(PLAIN);
        assertThatThrownBy(() -> new KeySeal(new KeyRing("another", null), "test").open(sealed, CONTEXT))
                .isInstanceOf(AEADBadTagException.class);
        assertThatThrownBy(() -> new KeySeal(new KeyRing("secret", null), "test").open(sealed, PLAIN))
                .isInstanceOf(AEADBadTagException.class);
    }

    @Test
    void thePreviousSecretOpensUntilAllIsRenewed() throws Exception {
        byte[] old = new KeySeal(new KeyRing("old", null), "test").seal(PLAIN, CONTEXT);
        KeySeal both = new KeySeal(new KeyRing("new", "old"), "test");
        KeySeal after = new KeySeal(new KeyRing("new", null), "test");

        assertThat(both.open(old, CONTEXT)).isEqualTo(PLAIN);
        byte[] renewed = both.renewed(old, CONTEXT);
        assertThat(after.open(renewed, CONTEXT)).isEqualTo(PLAIN);
        assertThat(both.renewed(renewed, CONTEXT)).isSameAs(renewed);
        assertThatThrownBy(() -> after.open(old, CONTEXT)).isInstanceOf(AEADBadTagException.class);
        assertThatThrownBy(() -> after.renewed(old, CONTEXT)).isInstanceOf(AEADBadTagException.class);
    }

    @Test
    void nothingOfThePlainBytesShowsAndNoTwoSealsAreAlike() {
        KeySeal seal = new KeySeal(new KeyRing("secret", null), "test");

        byte[] first = seal.seal(PLAIN, CONTEXT);

        assertThat(new String(first, StandardCharsets.ISO_8859_1)).doesNotContain("private");
        assertThat(seal.seal(PLAIN, CONTEXT)).isNotEqualTo(first);
    }

    @Test
    void damagedOrCutBytesDoNotOpen() {
        KeySeal seal = new KeySeal(new KeyRing("secret", null), "test");
        byte[] damaged = seal.seal(PLAIN, CONTEXT);
        damaged[damaged.length - 1] ^= 1;

        assertThatThrownBy(() -> seal.open(damaged, CONTEXT)).isInstanceOf(AEADBadTagException.class);
        assertThatThrownBy(() -> seal.open(new byte[5], CONTEXT)).isInstanceOf(AEADBadTagException.class);
    }
}
