package io.sigma.dataplane.engine.framed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.sigma.dataplane.testkit.BoltFrame;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FrameReaderTest {

    private static final int FRAME_BYTES_MAX = 1024 * 1024;

    private final List<ByteBuf> given = new ArrayList<>();
    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);

    private FrameReader reader() {
        return new FrameReader(new BoltProtocol(), buffers);
    }

    private ByteBuf piece(byte[] bytes, int from, int to) {
        ByteBuf piece = buffers.directBuffer(Math.max(1, to - from)).writeBytes(bytes, from, to - from);
        given.add(piece);
        return piece;
    }

    private static List<byte[]> frames(FrameReader reader) throws BadFrame {
        List<byte[]> found = new ArrayList<>();
        for (ByteBuf frame = reader.next(); frame != null; frame = reader.next()) {
            found.add(ByteBufUtil.getBytes(frame));
            frame.release();
        }
        return found;
    }

    private void assertReleased() {
        assertThat(given).allMatch(piece -> piece.refCnt() == 0);
        assertThat(buffers.metric().usedDirectMemory()).isZero();
        given.clear();
    }

    @Test
    void everySplitGivesTheSameFrames() throws BadFrame {
        List<byte[]> frames = List.of(
                BoltFrame.v1().header("service", "a").bytes(),
                BoltFrame.v2(true).bytes(),
                BoltFrame.v1().heartbeat().bytes(),
                BoltFrame.v2(false)
                        .type(BoltFrame.RESPONSE)
                        .content(new byte[300])
                        .bytes());
        byte[] all = joined(frames);
        for (int first = 0; first <= all.length; first++) {
            for (int second = first; second <= all.length; second += 7) {
                FrameReader reader = reader();
                List<byte[]> found = new ArrayList<>();
                int from = 0;
                for (int to : new int[] {first, second, all.length}) {
                    reader.add(piece(all, from, to), FRAME_BYTES_MAX);
                    found.addAll(frames(reader));
                    from = to;
                }
                assertThat(found).containsExactlyElementsOf(frames);
                assertThat(reader.isWithinFrame()).isFalse();
                assertReleased();
            }
        }
    }

    @Test
    void framesOfAllSizesArriveInPiecesOfAllSizes() throws BadFrame {
        Random random = new Random(28);
        for (int round = 0; round < 40; round++) {
            List<byte[]> frames = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                byte[] content = new byte[random.nextInt(4) == 0 ? random.nextInt(200_000) : random.nextInt(600)];
                random.nextBytes(content);
                frames.add((random.nextBoolean() ? BoltFrame.v1() : BoltFrame.v2(random.nextBoolean()))
                        .id(i)
                        .content(content)
                        .bytes());
            }
            byte[] all = joined(frames);
            FrameReader reader = reader();
            List<byte[]> found = new ArrayList<>();
            int longest = 1 << (7 + random.nextInt(11));
            for (int from = 0; from < all.length; ) {
                int to = Math.min(all.length, from + 1 + random.nextInt(longest));
                reader.add(piece(all, from, to), FRAME_BYTES_MAX);
                found.addAll(frames(reader));
                // What is held is about what has arrived of one frame.
                assertThat(reader.held()).isLessThan(2L * 200_000 + 64 * 1024);
                from = to;
            }
            assertThat(found).containsExactlyElementsOf(frames);
            assertReleased();
        }
    }

    @Test
    void garbageEndsItAndNothingIsKept() {
        Random random = new Random(2);
        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = BoltFrame.v2(random.nextBoolean())
                    .content(new byte[random.nextInt(100)])
                    .bytes();
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            FrameReader reader = reader();
            FrameHead head = new FrameHead();
            try {
                int cut = random.nextInt(bytes.length);
                for (ByteBuf piece : List.of(piece(bytes, 0, cut), piece(bytes, cut, bytes.length))) {
                    reader.add(piece, 4_096);
                    for (ByteBuf frame = reader.next(); frame != null; frame = reader.next()) {
                        try {
                            head.clear();
                            new BoltProtocol().read(frame, head);
                        } finally {
                            frame.release();
                        }
                    }
                }
            } catch (BadFrame e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
            reader.release();
            given.stream().filter(piece -> piece.refCnt() > 0).forEach(ByteBuf::release);
            assertReleased();
        }
    }

    @Test
    void frameAboveTheLimitIsRefusedByItsHead() {
        byte[] bytes = BoltFrame.v1().content(new byte[5_000]).bytes();
        FrameReader reader = reader();
        reader.add(piece(bytes, 0, 22), 4_096);
        assertThatThrownBy(reader::next)
                .isInstanceOfSatisfying(
                        BadFrame.class, e -> assertThat(e.isTooLong()).isTrue())
                .hasMessageContaining("4096");
        reader.release();
        assertReleased();
    }

    @Test
    void singleBytesDoNotHoldTheBuffersThatTheyCameIn() throws BadFrame {
        byte[] bytes = BoltFrame.v1().content(new byte[10_000]).bytes();
        FrameReader reader = reader();
        for (int i = 0; i < bytes.length - 1; i++) {
            ByteBuf large = buffers.directBuffer(65_536).writeByte(bytes[i]);
            reader.add(large, FRAME_BYTES_MAX);
            assertThat(reader.next()).isNull();
        }
        assertThat(reader.held()).isLessThan(32_768);
        reader.release();
        assertThat(buffers.metric().usedDirectMemory()).isZero();
    }

    /** What a frame cost before is not counted again with each of its bytes. */
    @Test
    void frameThatComesByteByByteIsCountedOnce() throws BadFrame {
        byte[] bytes = BoltFrame.v1().content(new byte[100_000]).bytes();
        FrameReader reader = reader();
        long counted = 0;
        long most = 0;
        for (int i = 0; i < bytes.length; i++) {
            reader.add(piece(bytes, i, i + 1), FRAME_BYTES_MAX);
            most = Math.max(most, reader.held());
            assertThat(frames(reader)).hasSize(i == bytes.length - 1 ? 1 : 0);
            counted += reader.grown();
            most = Math.max(most, reader.held());
        }
        assertThat(most).isBetween(100_000L, 200_000L);
        assertThat(counted).isLessThanOrEqualTo(most);
        assertThat(reader.held()).isZero();
        assertReleased();
    }

    private static byte[] joined(List<byte[]> frames) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        frames.forEach(all::writeBytes);
        return Arrays.copyOf(all.toByteArray(), all.size());
    }
}
