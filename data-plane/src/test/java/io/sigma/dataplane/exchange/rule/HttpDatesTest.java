package io.sigma.dataplane.exchange.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The three forms of a date (RFC 9110 §5.6.7). */
final class HttpDatesTest {

    private static final LocalDateTime NOW = LocalDateTime.parse("2026-11-26T12:00:00");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sun, 06 Nov 1994 08:49:37 GMT | 1994-11-06T08:49:37Z",
                "Sunday, 06-Nov-94 08:49:37 GMT | 1994-11-06T08:49:37Z",
                "Sun Nov  6 08:49:37 1994 | 1994-11-06T08:49:37Z",
                "Wed Nov 16 08:49:37 1994 | 1994-11-16T08:49:37Z",
                // 50 years ahead to the second, and one more.
                "Thursday, 26-Nov-76 12:00:00 GMT | 2076-11-26T12:00:00Z",
                "Friday, 26-Nov-76 12:00:01 GMT | 1976-11-26T12:00:01Z",
                "Friday, 31-Dec-76 00:00:00 GMT | 1976-12-31T00:00:00Z",
                "Saturday, 01-Jan-77 00:00:00 GMT | 1977-01-01T00:00:00Z"
            })
    void everyFormIsRead(String text, Instant time) {
        assertThat(Preconditions.parse(text, NOW)).isEqualTo(time);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Monday, 06-Nov-94 08:49:37 GMT",
                "Mon, 06 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 08:49:37 CET",
                "Sunday, 06-Nov-1994 08:49:37 GMT",
                "Sunday,",
                "-1"
            })
    void whatIsNoneOfThemIsNoDate(String text) {
        assertThat(Preconditions.parse(text, NOW)).isNull();
    }
}
