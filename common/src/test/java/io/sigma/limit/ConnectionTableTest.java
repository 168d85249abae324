package io.sigma.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ConnectionTableTest {

    private final ConnectionTable<String> table = new ConnectionTable<>(6, 4);

    private String open(String address, String connection) {
        return table.opened(address, connection, false);
    }

    @Test
    void anAddressThatHasItsShareLosesItsOldest() {
        for (int i = 0; i < 4; i++) {
            assertThat(open("a", "a" + i)).isNull();
        }
        assertThat(open("a", "a4")).isEqualTo("a0");
        assertThat(open("a", "a5")).isEqualTo("a1");
        assertThat(open("b", "b0")).isNull();
        assertThat(table.size()).isEqualTo(5);
    }

    @Test
    void whereAllIsFullTheAddressThatHasMostMakesRoom() {
        for (int i = 0; i < 4; i++) {
            open("a", "a" + i);
        }
        open("b", "b0");
        open("b", "b1");
        assertThat(open("c", "c0")).isEqualTo("a0");
        assertThat(open("d", "d0")).isEqualTo("a1");
        assertThat(table.size()).isEqualTo(6);
    }

    @Test
    void busyOnesStayAndWhereAllAreBusyTheNewOneGoes() {
        for (int i = 0; i < 4; i++) {
            open("a", "a" + i);
        }
        table.begun("a0");
        assertThat(open("a", "a4")).isEqualTo("a1");
        table.begun("a2");
        table.begun("a3");
        table.begun("a4");
        assertThat(open("a", "a5")).isEqualTo("a5");
        assertThat(table.size()).isEqualTo(4);
        table.ended("a3");
        table.ended("a0");
        assertThat(open("a", "a6")).as("idle for longest").isEqualTo("a3");
    }

    @Test
    void anAddressOfManyClientsHasNoShare() {
        for (int i = 0; i < 6; i++) {
            assertThat(table.opened("proxy", "p" + i, true)).isNull();
        }
        assertThat(table.opened("proxy", "p6", true)).isEqualTo("p0");
    }

    @Test
    void whatIsClosedTwiceIsCountedOnce() {
        open("a", "a0");
        table.closed("a0");
        table.closed("a0");
        table.begun("a0");
        table.ended("a0");
        assertThat(table.size()).isZero();
        for (int i = 1; i < 5; i++) {
            assertThat(open("a", "a" + i)).isNull();
        }
    }

    @Test
    void anIpv6ClientIsItsSixtyFourLeadingBits() {
        assertThat(AddressBlock.of("2001:db8:1:2::1")).isEqualTo(AddressBlock.of("2001:db8:1:2:ffff::9"));
        assertThat(AddressBlock.of("2001:db8:1:2::1")).isNotEqualTo(AddressBlock.of("2001:db8:1:3::1"));
        assertThat(AddressBlock.of("fe80::1%eth0")).isEqualTo(AddressBlock.of("fe80::2"));
        assertThat(AddressBlock.of("::ffff:192.0.2.1")).isEqualTo("192.0.2.1");
        assertThat(AddressBlock.of("192.0.2.1")).isNotEqualTo(AddressBlock.of("192.0.2.2"));
        assertThat(AddressBlock.of("local")).isEqualTo("local");
    }
}
