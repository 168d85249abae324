package io.sigma.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AddressesTest {

    @Test
    void hostOfIpv6IsInBracketsBeforeAPort() {
        assertThat(Addresses.authority("::1", 9080)).isEqualTo("[::1]:9080");
        assertThat(Addresses.authority("127.0.0.1", 9080)).isEqualTo("127.0.0.1:9080");
        assertThat(Addresses.authority("localhost", 9080)).isEqualTo("localhost:9080");
    }
}
