package io.sigma.dataplane.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.value.AddressRange;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrustedProxiesTest {

    private static final TrustedProxies PROXIES = new TrustedProxies(
            List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("fd00::/8")), List.of(), false);

    private static String clientOf(String peer, String... fields) {
        RequestHead head = new RequestHead(
                "HTTP/1.1",
                false,
                "GET",
                "a",
                80,
                "a",
                "/",
                null,
                MapFields.of(fields),
                0,
                InetAddress.ofLiteral(peer),
                1,
                80);
        return PROXIES.clientOf(head).getHostAddress();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | 203.0.113.5           | 192.0.2.1",
                "10.0.0.1  | 203.0.113.5           | 203.0.113.5",
                "10.0.0.1  | 6.6.6.6, 203.0.113.5  | 203.0.113.5",
                "10.0.0.1  | 203.0.113.5, 10.0.0.2 | 203.0.113.5",
                "10.0.0.1  | 10.0.0.3, 10.0.0.2    | 10.0.0.3",
                "10.0.0.1  | 203.0.113.5:4711      | 203.0.113.5",
                "10.0.0.1  | 6.6.6.6, nonsense     | 10.0.0.1",
                "10.0.0.1  | 6.6.6.6, x, 10.0.0.2  | 10.0.0.2",
                "10.0.0.1  | [2001:db8::1]:80      | 2001:db8:0:0:0:0:0:1",
                "fd00::1   | 203.0.113.5           | 203.0.113.5"
            })
    void nearestHopThatIsNotTrustedIsTheClient(String peer, String hops, String client) {
        assertThat(clientOf(peer, "x-forwarded-for", hops)).isEqualTo(client);
    }

    @Test
    void forwardedCountsWhereTheOlderFieldIsAbsent() {
        assertThat(clientOf("10.0.0.1", "forwarded", "for=6.6.6.6, for=\"[2001:db8::7]:80\";proto=https"))
                .isEqualTo("2001:db8:0:0:0:0:0:7");
        assertThat(clientOf("10.0.0.1", "forwarded", "for=6.6.6.6", "x-forwarded-for", "203.0.113.5"))
                .isEqualTo("203.0.113.5");
        assertThat(clientOf("10.0.0.1", "forwarded", "for=_hidden")).isEqualTo("10.0.0.1");
    }

    @Test
    void hopsOverSeveralFieldsAreOneList() {
        assertThat(clientOf("10.0.0.1", "x-forwarded-for", "203.0.113.5", "x-forwarded-for", "10.0.0.2"))
                .isEqualTo("203.0.113.5");
    }
}
