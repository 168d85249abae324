package io.sigma.controlplane.api.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EncodingsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip|true",
                "GZIP, br|true",
                "deflate , gzip;q=0.5|true",
                "gzip; q=0|false",
                "gzip;q=0.|false",
                "gzip;q=0.000|false",
                "gzip;q=0.001|true",
                "br|false",
                "x-gzip|false",
                "''|false"
            })
    void aClientTakesWhatItNames(String acceptEncoding, boolean expected) {
        assertThat(Encodings.accepts(acceptEncoding, Encodings.GZIP)).isEqualTo(expected);
    }

    @Test
    void whatIsCompressedIsTheSameWhenItIsRead() throws Exception {
        byte[] content = "{\"items\":[]}".repeat(500).getBytes(StandardCharsets.UTF_8);
        byte[] compressed = Encodings.gzip(content);
        assertThat(compressed.length).isLessThan(content.length / 10);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
        assertThat(Encodings.isWorthIt(10)).isFalse();
    }
}
