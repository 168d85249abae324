package io.sigma.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AddressesTest {

    @Test
    void hostOfIpv6IsInBracketsBeforeAPort() {
        assertThat(Addresses.authority("::1", 9080)).isEqualTo("[::1]:9080");
        assertThat(Addresses.authority("127.0.0.1", 9080)).isEqualTo("127.0.0.1:9080");
        assertThat(Addresses.authority("localhost", 9080)).isEqualTo("localhost:9080");
    }

    @Test
    void ipv4IsFourNumbersOfAnOctetWithoutLeadingZeros() {
        assertThat(List.of("0.0.0.0", "127.0.0.1", "255.255.255.255", "10.20.30.40"))
                .allMatch(Addresses::isIpv4);
        assertThat(List.of(
                        "",
                        ".",
                        "1",
                        "1.2.3",
                        "1.2.3.",
                        ".1.2.3",
                        "1..2.3",
                        "1.2.3.4.",
                        "1.2.3.4.5",
                        "1.2.3.256",
                        "1.2.3.00",
                        "01.2.3.4",
                        "1.2.3.4 ",
                        "1.2.3.a",
                        "1.2.3.-4",
                        "1.2.3.1000",
                        "1.2.3.\u0664",
                        "99999999999.2.3.4",
                        "::1"))
                .noneMatch(Addresses::isIpv4);
    }

    @Test
    void ipv6HasNoBracketsAndNoZone() {
        assertThat(List.of("::", "::1", "2001:db8::7", "::ffff:1.2.3.4")).allMatch(Addresses::isIpv6);
        assertThat(List.of("", ":", "[::1]", "fe80::1%eth0", "1.2.3.4", ":::", "g::1", "::1 "))
                .noneMatch(Addresses::isIpv6);
    }
}
