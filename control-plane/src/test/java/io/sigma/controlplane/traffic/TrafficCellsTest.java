package io.sigma.controlplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.model.TrafficFigures;
import io.sigma.snapshot.TrafficEntry;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TrafficCellsTest {

    private static TrafficEntry entry(long answered, long bytes, Integer... durations) {
        return new TrafficEntry(
                TrafficEntry.Kind.ROUTE, "r", List.of(0L, 0L, answered, 0L, 0L, 0L), bytes, 0, List.of(durations));
    }

    private static TrafficCells cells(TrafficEntry entry) {
        TrafficCells cells = new TrafficCells();
        cells.add(entry);
        return cells;
    }

    private static TrafficFigures read(byte[] encoded) {
        TrafficCells read = new TrafficCells();
        read.add(encoded);
        return read.figures(5);
    }

    @Test
    void whatIsWrittenIsRead() {
        TrafficCells cells = cells(entry(3_000_000_000L, 1L << 50, 5, 7, 9, Integer.MAX_VALUE));
        assertThat(read(cells.encode())).isEqualTo(cells.figures(5));
        assertThat(cells.requests()).isEqualTo(3_000_000_000L);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, (1L << 32) + 1, Long.MAX_VALUE})
    void noGatewayCanHaveCountedThat(long number) {
        assertThatThrownBy(() -> cells(entry(number, 0))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cells(entry(0, number < 0 ? number : Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sumsEndBeforeTheyTurnNegative() {
        TrafficCells cells = cells(entry(1L << 32, 1L << 50, 5, Integer.MAX_VALUE));
        for (int i = 0; i < 60; i++) {
            cells.add(cells.copy());
        }
        assertThat(cells.requests()).isPositive();
        assertThat(cells.bytes()).isPositive();
        assertThat(read(cells.encode())).isEqualTo(cells.figures(5));
        assertThat(cells.figures(5).p99Millis()).isPositive();
    }

    @Test
    void whatNobodyCanHaveWrittenAddsNothing() {
        byte[] good = cells(entry(7, 20, 5, 7)).encode();
        byte[] cutShort = new byte[] {1, 2, 3};
        // Bucket 511.
        byte[] noBucket = Arrays.copyOf(good, good.length + 1);
        noBucket[good.length - 2] = (byte) 0xff;
        noBucket[good.length - 1] = 3;
        noBucket[good.length] = 7;
        byte[] endless = good.clone();
        Arrays.fill(endless, (byte) 0xff);
        TrafficCells cells = new TrafficCells();
        for (byte[] each : List.of(cutShort, endless, noBucket, new byte[0], good)) {
            cells.add(each);
        }
        assertThat(cells.figures(5)).isEqualTo(read(good));
    }
}
