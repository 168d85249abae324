package io.sigma.controlplane.api.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.settings.InvalidSettings;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClientsTest {

    private final Clients clients = new Clients(List.of("10.0.0.0/8", "fd00::/8"));

    private String address(String peer, String... fields) {
        return clients.address(peer, List.of(fields));
    }

    @Test
    void aProxyThatIsTrustedSaysWhoTheClientIs() {
        assertThat(address("10.0.0.1", "203.0.113.7")).isEqualTo("203.0.113.7");
        assertThat(address("10.0.0.1", "203.0.113.7, 10.1.1.1")).isEqualTo("203.0.113.7");
        assertThat(address("10.0.0.1", "203.0.113.7", "10.1.1.1:4711")).isEqualTo("203.0.113.7");
        assertThat(address("fd00::1", "[2001:db8::7]:4711")).isEqualTo("2001:db8::7");
        assertThat(address("10.0.0.1", "10.2.2.2")).as("all are trusted").isEqualTo("10.2.2.2");
        assertThat(address("10.0.0.1")).isEqualTo("10.0.0.1");
    }

    @Test
    void whatOthersSayIsNotBelieved() {
        assertThat(address("192.0.2.1", "203.0.113.7")).isEqualTo("192.0.2.1");
        assertThat(address("10.0.0.1", "203.0.113.7, 198.51.100.9")).isEqualTo("198.51.100.9");
        assertThat(address("10.0.0.1", "203.0.113.7, unknown")).isEqualTo("10.0.0.1");
        assertThat(address("10.0.0.1", "")).isEqualTo("10.0.0.1");
        assertThat(address("10.0.0.1", "203.0.113.7" + String.join("", Collections.nCopies(40, ",10.0.0.2"))))
                .as("too many hops")
                .isEqualTo("10.0.0.2");
        assertThat(new Clients(List.of()).address("10.0.0.1", List.of("203.0.113.7")))
                .isEqualTo("10.0.0.1");
    }

    @Test
    void whatIsNoAddressIsRefusedAtTheStart() {
        assertThatThrownBy(() -> new Clients(List.of("10.0.0.0/8", "entry")))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageStartingWith("adminTrustedProxies: \"entry\" (expected: ");
    }
}
