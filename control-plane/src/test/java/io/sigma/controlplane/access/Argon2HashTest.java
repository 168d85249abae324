package io.sigma.controlplane.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class Argon2HashTest {

    @Test
    void aHashKnowsItsPasswordAndNoOther() {
        Argon2Hash hash = Argon2Hash.parse(Argon2Hash.of("correct horse").toString());
        assertThat(hash.matches("correct horse")).isTrue();
        assertThat(hash.matches("correct horsf")).isFalse();
        assertThat(Argon2Hash.of("correct horse").toString())
                .as("a salt of its own")
                .isNotEqualTo(hash.toString());
    }

    @Test
    void theReferenceImplementationAgrees() {
        // echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1, of the reference implementation's own tests
        String reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
        assertThat(Argon2Hash.parse(reference).matches("password")).isTrue();
        assertThat(Argon2Hash.parse(reference).toString()).isEqualTo(reference);
    }

    @Test
    void whatIsNoHashIsRefusedWithoutSayingIt() {
        assertThatThrownBy(() -> Argon2Hash.parse("$argon2i$v=19$m=1,t=1,p=1$secret$secret"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageNotContaining("secret");
    }
}
