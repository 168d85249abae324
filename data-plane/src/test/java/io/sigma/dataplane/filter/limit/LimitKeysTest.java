package io.sigma.dataplane.filter.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LimitKeysTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "address:192.0.2.1",
                "subnet:20010db800000001",
                "subnet:ffffffffffffffff",
                "CONSUMER:ann:lee",
                "HEADER:",
                "ROUTE:any"
            })
    void keysAreWrittenAsTheyAreRead(String text) {
        assertThat(LimitKeys.text(Objects.requireNonNull(LimitKeys.parse(text))))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "address:", "address:a name", "subnet:-1", "NOBODY:x", "192.0.2.1"})
    void anythingElseIsNoKey(String text) {
        assertThat(LimitKeys.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = "192.0.2.1")
    void addressesEqualThoseOfClients(String address) {
        assertThat(LimitKeys.parse("address:" + address)).isEqualTo(InetAddress.ofLiteral(address));
    }
}
