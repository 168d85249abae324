package io.sigma.dataplane.engine.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BodyReaderTest {

    private final BodyReader reader = new BodyReader(new Texts(), 100, false);
    private final StringBuilder data = new StringBuilder();

    private ByteBuf read(String text) {
        ByteBuf in = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
        reader.read(in, piece -> {
            data.append(piece.toString(StandardCharsets.ISO_8859_1));
            piece.release();
        });
        return in;
    }

    @Test
    void chunksAreTheSameWhereverTheyAreCut() {
        String body = "3\r\nabc\r\nA;ext=\"q\";b\r\n0123456789\r\n000\r\nX-Sum: 9\r\n\r\n";
        for (int cut = 1; cut < body.length(); cut++) {
            data.setLength(0);
            reader.begin(Framing.CHUNKED);
            read(body.substring(0, cut));
            assertThat(reader.isOver()).as("cut at %d", cut).isFalse();
            ByteBuf rest = read(body.substring(cut) + "next");
            assertThat(reader.isOver()).isTrue();
            assertThat(rest.toString(StandardCharsets.US_ASCII)).isEqualTo("next");
            assertThat(data).hasToString("abc0123456789");
            assertThat(Objects.requireNonNull(reader.trailers()).get("x-sum")).isEqualTo("9");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1;a=\"b\r\n", "1;a=\"\\\"\r\n", "1;a=\"b\\\r\n"})
    void lineThatEndsWithinAQuotedTextIsRefused(String line) {
        reader.begin(Framing.CHUNKED);
        assertThatThrownBy(() -> read(line + "x\r\n0\r\n\r\n")).isInstanceOf(InvalidMessage.class);
    }

    /** Short chunks are put together, long ones are passed on as they are, and a buffer may end anywhere. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void chunksOfAllLengthsAreTheSameInBuffersOfAllLengths(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder body = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        int longest = random.nextInt(1, 2_000);
        for (int chunk = 0; chunk < 400; chunk++) {
            int length = random.nextInt(20) == 0 ? random.nextInt(1, 70_000) : random.nextInt(1, longest + 1);
            String piece = Character.toString('a' + chunk % 26).repeat(length);
            body.append(Integer.toHexString(length))
                    .append("\r\n")
                    .append(piece)
                    .append("\r\n");
            expected.append(piece);
        }
        body.append("0\r\n\r\nnext");
        reader.begin(Framing.CHUNKED);
        int from = 0;
        ByteBuf rest = Unpooled.EMPTY_BUFFER;
        while (from < body.length() - "next".length()) {
            int to = Math.min(body.length(), from + random.nextInt(1, 1 << random.nextInt(1, 18)));
            rest = read(body.substring(from, to));
            from = to;
        }
        assertThat(reader.isOver()).isTrue();
        assertThat(data.toString().equals(expected.toString())).isTrue();
        assertThat("next").startsWith(rest.toString(StandardCharsets.US_ASCII));
    }

    @Test
    void whatComesBeforeABrokenChunkIsPassedOn() {
        reader.begin(Framing.CHUNKED);
        assertThatThrownBy(() -> read("1\r\na\r\n2\r\nbc\r\nx")).isInstanceOf(InvalidMessage.class);
        assertThat(data).hasToString("abc");
    }

    @Test
    void aBodyOfKnownLengthEndsThere() {
        reader.begin(5);
        read("ab");
        assertThat(reader.isOver()).isFalse();
        assertThat(read("cdefg").toString(StandardCharsets.US_ASCII)).isEqualTo("fg");
        assertThat(reader.isOver()).isTrue();
        assertThat(data).hasToString("abcde");
        reader.begin(0);
        assertThat(reader.isOver()).isTrue();
    }

    @Test
    void aBodyUntilTheEndIsOverWhenItIsSaid() {
        reader.begin(Framing.UNTIL_CLOSE);
        read("abc");
        assertThat(reader.isOver()).isFalse();
        assertThat(reader.isUntilClose()).isTrue();
        reader.close();
        assertThat(reader.isOver()).isTrue();
        assertThat(data).hasToString("abc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x1\r\na\r\n",
                "1_0\r\n",
                "-1\r\n",
                "+1\r\na",
                " 1\r\na",
                "1 \r\na",
                "\r\n",
                ";a\r\n",
                "1\na\r\n",
                "1\r\na\n",
                "1\r\nab\r\n",
                "1\r\r\na",
                "1;a\rb\r\na",
                "1;a\u0000\r\na",
                "1;a\n",
                "10000000000000000\r\n",
                "0\r\nX : y\r\n\r\n",
                "0\r\n\n",
            })
    void aBrokenFrameIsRefused(String body) {
        reader.begin(Framing.CHUNKED);
        assertThatThrownBy(() -> read(body)).isInstanceOf(InvalidMessage.class);
    }

    @ParameterizedTest
    @CsvSource({"2000", "1100"})
    void extensionsAndTrailersHaveBounds(int length) {
        reader.begin(Framing.CHUNKED);
        assertThatThrownBy(() -> read("1;" + "a".repeat(length))).isInstanceOf(InvalidMessage.class);
        reader.begin(Framing.CHUNKED);
        assertThatThrownBy(() -> read(("1;" + "a".repeat(1000) + "\r\na\r\n").repeat(20)))
                .isInstanceOf(InvalidMessage.class);
        reader.begin(Framing.CHUNKED);
        assertThatThrownBy(() -> read("0\r\nX: " + "a".repeat(length))).isInstanceOf(InvalidMessage.class);
    }

    /** As servers write them that reserve room for the size of a chunk, and proxies that sign each chunk. */
    @ParameterizedTest
    @ValueSource(strings = {"    ", ";signature=0123456789abcdef"})
    void extensionsOfALongBodyAreRead(String extension) {
        BodyReader ofNode = new BodyReader(new Texts(), 100, true);
        ofNode.begin(Framing.CHUNKED);
        String chunk = "40" + extension + "\r\n" + "a".repeat(64) + "\r\n";
        int[] octets = new int[1];
        for (int i = 0; i < 10_000; i++) {
            ofNode.read(Unpooled.copiedBuffer(chunk, StandardCharsets.ISO_8859_1), piece -> {
                octets[0] += piece.readableBytes();
                piece.release();
            });
        }
        assertThat(octets[0]).isEqualTo(640_000);
    }

    @Test
    void whoIsGivenABufferReleasesItAlsoWhenItFails() {
        ByteBuf in = Unpooled.copiedBuffer("abc", StandardCharsets.ISO_8859_1);
        reader.begin(10);
        assertThatThrownBy(() -> reader.read(in, piece -> {
                    piece.release();
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        assertThat(in.refCnt()).isZero();
    }

    @Test
    void whatNobodyWasGivenIsReleasedWhenTheFramingIsWrong() {
        ByteBuf in = Unpooled.copiedBuffer("x\r\n", StandardCharsets.ISO_8859_1);
        reader.begin(Framing.CHUNKED);
        assertThatThrownBy(() -> reader.read(in, ByteBuf::release)).isInstanceOf(InvalidMessage.class);
        assertThat(in.refCnt()).isZero();
    }
}
