package io.sigma.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.Level;

final class LogTailTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        2026-01-01 00:00:00.000 UTC [7] LOG:  database system is ready         | DEBUG
        2026-01-01 00:00:00.000 UTC [7] WARNING:  out of disk space soon        | WARN
        2026-01-01 00:00:00.000 UTC [7] ERROR:  duplicate key                   | WARN
        2026-01-01 00:00:00.000 UTC [7] FATAL:  password authentication failed  | ERROR
        2026-01-01 00:00:00.000 UTC [7] PANIC:  could not write to log file     | ERROR
        and a line that goes on                                                 | DEBUG
        """)
    void severitiesBecomeLevels(String line, Level level) {
        assertThat(LogTail.level(line)).isEqualTo(level);
    }
}
