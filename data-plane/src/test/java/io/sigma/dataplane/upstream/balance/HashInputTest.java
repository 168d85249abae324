package io.sigma.dataplane.upstream.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.HashKey;
import io.sigma.model.HashSource;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** The hashed values of connections without HTTP. */
final class HashInputTest {

    private static final InetSocketAddress FIRST = new InetSocketAddress("192.0.2.1", 40_000);
    private static final InetSocketAddress SECOND = new InetSocketAddress("192.0.2.1", 40_001);

    private static HashInput of(HashSource source) {
        return HashInput.of(HashKey.builder().source(source).build());
    }

    @Test
    void addressAloneHasNoPort() {
        HashInput input = of(HashSource.CLIENT_ADDRESS);
        assertThat(input.hashOf(FIRST, "a.example")).isEqualTo(input.hashOf(SECOND, null));
        assertThat(input.hashOf(null, "a.example")).isZero();
    }

    @Test
    void portTellsConnectionsApart() {
        HashInput input = of(HashSource.CLIENT_ADDRESS_AND_PORT);
        assertThat(input.hashOf(FIRST, null)).isEqualTo(input.hashOf(FIRST, "a.example"));
        assertThat(input.hashOf(FIRST, null)).isNotEqualTo(input.hashOf(SECOND, null));
        assertThat(input.hashOf(FIRST, null)).isNotZero();
        assertThat(input.hashOf(null, null)).isZero();
    }

    @Test
    void serverNameIsTheSameForAllClients() {
        HashInput input = of(HashSource.SERVER_NAME);
        assertThat(input.hashOf(FIRST, "a.example")).isEqualTo(input.hashOf(SECOND, "a.example"));
        assertThat(input.hashOf(FIRST, "a.example")).isNotEqualTo(input.hashOf(FIRST, "b.example"));
        assertThat(input.hashOf(FIRST, null)).isZero();
    }

    @Test
    void partsOfHttpAreNotThere() {
        HashInput input = HashInput.of(
                HashKey.builder().source(HashSource.HEADER).name("x").build());
        assertThat(input.hashOf(FIRST, "a.example")).isZero();
    }
}
