package io.sigma.dataplane.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.snapshot.TrafficEntry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class SpanPiecesTest {

    private static final TrafficEntry ENTRY = new TrafficEntry(
            TrafficEntry.Kind.GATEWAY,
            "edge",
            List.of(1L, 0L, 163L, 1L, 1L, 4L),
            1_001,
            7,
            List.of(1, 1, 2, 1, 3, 1, 5, 1, 8, 166));

    private static List<SpanPieces.Piece> pieces(long millis) {
        return SpanPieces.of(List.of(ENTRY), TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private static long requests(SpanPieces.Piece piece) {
        return piece.entries().stream()
                .flatMap(entry -> entry.statuses().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    private static long timed(SpanPieces.Piece piece) {
        List<Integer> durations = piece.entries().getFirst().durations();
        long sum = 0;
        for (int i = 1; i < durations.size(); i += 2) {
            sum += durations.get(i);
        }
        return sum;
    }

    @Test
    void aSpanOfTheUsualLengthIsOnePiece() {
        for (long millis : new long[] {0, 4_000, 5_000, 5_040, 7_400}) {
            assertThat(pieces(millis)).containsExactly(new SpanPieces.Piece(0, List.of(ENTRY)));
        }
    }

    @Test
    void whatCameInAPauseIsSharedEvenlyAndNothingIsLost() {
        for (long millis = 7_600; millis < 120_000; millis += 333) {
            List<SpanPieces.Piece> pieces = pieces(millis);
            int count = (int) Math.min(12, (millis + 2_500) / 5_000);
            assertThat(pieces).hasSize(count);
            assertThat(pieces).allSatisfy(piece -> {
                assertThat(requests(piece)).isBetween(170L / count, 170L / count + 1);
                assertThat(timed(piece)).isEqualTo(requests(piece));
            });
            assertThat(pieces.stream().mapToLong(SpanPiecesTest::requests).sum())
                    .isEqualTo(170);
            assertThat(pieces.stream()
                            .flatMap(piece -> piece.entries().stream())
                            .mapToLong(TrafficEntry::bytesIn)
                            .sum())
                    .isEqualTo(1_001);
            long apart = TimeUnit.MILLISECONDS.toNanos(Math.min(millis, 60_000)) / count;
            for (int i = 0; i < count; i++) {
                assertThat(pieces.get(i).beforeEndNanos()).isEqualTo((count - 1 - i) * apart);
            }
        }
    }

    @Test
    void aPauseInWhichNothingCameIsStillReported() {
        assertThat(SpanPieces.of(List.of(), TimeUnit.SECONDS.toNanos(10)))
                .containsExactly(
                        new SpanPieces.Piece(TimeUnit.SECONDS.toNanos(5), List.of()),
                        new SpanPieces.Piece(0, List.of()));
    }
}
