package io.sigma.dataplane.engine.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.exchange.MapFields;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConnectionOptionsTest {

    @ParameterizedTest
    @CsvSource({
        "timeout=5, 4000",
        "timeout=1, 500",
        "timeout=0, 0",
        "'timeout=75, max=100', 74000",
        "'max=100,  TIMEOUT=2', 1000",
        "timeout=99999, 99998000",
        "timeout=100000, 2147483647",
        "timeout=-1, 2147483647",
        "timeout=, 2147483647",
        "max=100, 2147483647",
    })
    void connectionWaitsForLessThanItsNodeSays(String value, int millis) {
        assertThat(ConnectionOptions.idleMillisMax(MapFields.of("keep-alive", value)))
                .isEqualTo(millis);
    }
}
