package io.sigma.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressGuardTest {

    private static final int OWN = 9080;

    private static AddressGuard guard(List<String> allow, List<String> deny) {
        return new AddressGuard(allow, deny, port -> port == OWN);
    }

    private static @Nullable String refusal(String literal, int port) {
        return guard(List.of(), List.of()).refusal("node", InetAddress.ofLiteral(literal), port);
    }

    @ParameterizedTest
    @CsvSource({
        "169.254.169.254, no cloud metadata address",
        "169.254.170.2, no cloud metadata address",
        "169.254.170.23, no cloud metadata address",
        "100.100.100.200, no cloud metadata address",
        "168.63.129.16, no cloud metadata address",
        "192.0.0.192, no cloud metadata address",
        "fd00:ec2::254, no cloud metadata address",
        "fd00:ec2::23, no cloud metadata address",
        "fd20:ce::254, no cloud metadata address",
        "fd00:c1::a9fe:a9fe, no cloud metadata address",
        "169.254.1.2, no link-local address",
        "fe80::1, no link-local address",
        "0.0.0.0, no \"this network\" address",
        "0.1.2.3, no \"this network\" address",
        "::, no unspecified address",
        "192.0.0.8, no protocol assignment address",
        "224.0.0.1, no multicast address",
        "ff02::1, no multicast address",
        "240.0.0.1, no reserved address",
        "255.255.255.255, no reserved address",
        "100::1, no discard-only address",
        "2001:1::1, no protocol assignment address",
        "5f00::1, no segment routing address",
    })
    void whereNoNodeIsNothingIsConnectedTo(String literal, String expected) {
        assertThat(refusal(literal, 80)).isEqualTo(expected);
    }

    /** The same metadata service in every form in which IPv6 leads to it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "::169.254.169.254", // compatible
                "::ffff:169.254.169.254", // mapped
                "::ffff:0:169.254.169.254", // translated
                "64:ff9b::169.254.169.254", // NAT64
                "64:ff9b:1::169.254.169.254", // NAT64 of one's own, /96
                "64:ff9b:1:a9fe:a9:fe00::", // /48
                "64:ff9b:1:a9fe:a9:fe00:1:2", // with a suffix
                "64:ff9b:1:a9:fe:a9fe::", // /56
                "64:ff9b:1:0:a9:fea9:fe00:0", // /64
                "2002:a9fe:a9fe::1", // 6to4
                "2001:0:a9fe:a9fe::1", // Teredo, server
                "2001::5601:5601", // Teredo, client
                "2001:db8::5efe:169.254.169.254", // ISATAP
                "fd12::200:5efe:a9fe:a9fe", // ISATAP, universal
            })
    void formsOfAnAddressAreThatAddress(String literal) {
        assertThat(refusal(literal, 80)).isNotNull();
    }

    @Test
    void embeddedLoopbackIsThisMachine() {
        assertThat(refusal("::127.0.0.1", OWN)).isEqualTo("no port of Sigma itself");
        assertThat(refusal("64:ff9b::127.0.0.1", OWN)).isEqualTo("no port of Sigma itself");
        assertThat(refusal("2002:7f00:1::", OWN)).isEqualTo("no port of Sigma itself");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1",
                "172.16.0.1",
                "192.168.1.1",
                "100.64.0.1",
                "127.0.0.1",
                "127.1.2.3",
                "::1",
                "fc00::1",
                "fd12:3456::1",
                "8.8.8.8",
                "2606:4700::1111",
                "64:ff9b::8.8.8.8",
                "64:ff9b:1::10.0.0.1",
                "2002:808:808::1",
                "::ffff:10.0.0.1",
            })
    void whereNodesAreIsConnectedTo(String literal) {
        assertThat(refusal(literal, 80)).isNull();
    }

    @Test
    void ownPortsAreRefusedOnEveryAddressOfThisMachine() throws Exception {
        assertThat(refusal("127.0.0.1", OWN)).isEqualTo("no port of Sigma itself");
        assertThat(refusal("127.9.9.9", OWN)).isEqualTo("no port of Sigma itself");
        assertThat(refusal("::1", OWN)).isEqualTo("no port of Sigma itself");
        assertThat(refusal("192.0.2.1", OWN)).isNull();
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            for (InetAddress address : each.inetAddresses().toList()) {
                assertThat(guard(List.of(), List.of()).refusal("me", address, OWN))
                        .as("%s", address)
                        .isNotNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST.",
                "api.localhost",
                "ip6-localhost",
                "127.0.0.1",
                "127.0.0.2",
                "::1",
                "::ffff:127.0.0.1",
                "0.0.0.0",
                "::",
                "2130706433",
                "0x7f000001",
                "127.1",
                "127.0.0.1.",
                "0x7f000001."
            })
    void textThatLeadsToThisMachineIsRefusedAtAnOwnPort(String host) throws Exception {
        assertThat(guard(List.of(), List.of()).refusal(host, OWN)).isNotNull();
    }

    @Test
    void nameOfThisMachineIsRefusedAtAnOwnPortAlone() throws Exception {
        String name = InetAddress.getLocalHost().getHostName();
        assertThat(guard(List.of(), List.of()).refusal(name, OWN)).isEqualTo("no port of Sigma itself");
        assertThat(guard(List.of(), List.of()).refusal(name, 80)).isNull();
        assertThat(guard(List.of(), List.of()).refusal("node.example.com", OWN)).isNull();
        assertThat(guard(List.of(), List.of(name)).refusal(name, 80)).isEqualTo("nothing of upstreamDeny");
    }

    @Test
    void entriesAllowWithAndWithoutAPort() {
        InetAddress metadata = InetAddress.ofLiteral("169.254.169.254");
        assertThat(guard(List.of("169.254.0.0/16"), List.of()).refusal("x", metadata, 80))
                .isNull();
        assertThat(guard(List.of("169.254.169.254:80"), List.of()).refusal("x", metadata, 80))
                .isNull();
        assertThat(guard(List.of("169.254.169.254:80"), List.of()).refusal("x", metadata, 81))
                .isNotNull();
        assertThat(guard(List.of("Metadata.Test."), List.of()).refusal("metadata.test", metadata, 80))
                .isNull();
        assertThat(guard(List.of("metadata.test:81"), List.of()).refusal("metadata.test", metadata, 80))
                .isNotNull();
        assertThat(guard(List.of("[fe80::/10]:443"), List.of()).refusal("x", InetAddress.ofLiteral("fe80::1"), 443))
                .isNull();
        // What a form is allowed to be says nothing about where it leads.
        assertThat(guard(List.of("64:ff9b::/96"), List.of())
                        .refusal("x", InetAddress.ofLiteral("64:ff9b::169.254.169.254"), 80))
                .isNotNull();
    }

    @Test
    void entriesDenyUnlessTheyAreAllowed() {
        AddressGuard strict = guard(List.of("10.1.0.0/16", "shop.test"), List.of("0.0.0.0/0", "::/0", "old.test"));
        assertThat(strict.refusal("x", InetAddress.ofLiteral("10.2.0.1"), 80)).isEqualTo("nothing of upstreamDeny");
        assertThat(strict.refusal("x", InetAddress.ofLiteral("2606::1"), 80)).isEqualTo("nothing of upstreamDeny");
        assertThat(strict.refusal("x", InetAddress.ofLiteral("10.1.0.1"), 80)).isNull();
        assertThat(strict.refusal("shop.test", InetAddress.ofLiteral("10.2.0.1"), 80))
                .isNull();
        assertThat(strict.refusal("old.test", InetAddress.ofLiteral("10.1.0.1"), 80))
                .isEqualTo("nothing of upstreamDeny");
        assertThat(guard(List.of(), List.of("127.0.0.0/8:5432")).refusal("x", InetAddress.ofLiteral("127.0.0.1"), 5432))
                .isEqualTo("nothing of upstreamDeny");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0/33",
                "10.0.0",
                "2852039166",
                "0x7f.1",
                "fe80::1%eth0",
                "[fe80::1",
                "a b",
                "10.0.0.1:0",
                "x:99999",
                ""
            })
    void entriesThatAreNoneAreRefusedWithTheSetting(String entry) {
        assertThatThrownBy(() -> AddressGuard.checked("upstreamAllow", List.of(entry)))
                .isInstanceOf(InvalidValue.class)
                .hasMessageStartingWith("upstreamAllow: \"" + entry + "\" (expected: a host name");
    }

    @Test
    void refusedConnectionsSayWhyAndAreCounted() {
        var refused = new java.util.concurrent.atomic.LongAdder();
        AddressGuard guard = new AddressGuard(List.of(), List.of(), port -> false, refused);
        assertThatThrownBy(() -> guard.admit("shop.test", InetAddress.ofLiteral("169.254.169.254"), 80))
                .isInstanceOf(AddressRefused.class)
                .hasMessage("shop.test is 169.254.169.254, port 80 (expected: no cloud metadata address, or an entry in"
                        + " upstreamAllow)");
        assertThatCode(() -> guard.admit("shop.test", InetAddress.ofLiteral("10.0.0.1"), 80))
                .doesNotThrowAnyException();
        assertThat(refused.sum()).isEqualTo(1);
    }
}
