package io.sigma.dataplane.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LogLinesTest {

    @Test
    void soManyAreWrittenWithinTenSecondsAndTheNextSaysHowManyWereLeftOut() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
        LogLines lines = new LogLines(3, nanos::get);
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String line = "line " + i;
            lines.write(end -> written.add(line + end));
        }
        assertThat(written).containsExactly("line 0", "line 1", "line 2");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        for (int i = 10; i < 12; i++) {
            String line = "line " + i;
            lines.write(end -> written.add(line + end));
        }
        assertThat(written)
                .containsExactly("line 0", "line 1", "line 2", "line 10 (7 lines like this were left out)", "line 11");
    }
}
