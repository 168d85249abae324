package io.sigma.dataplane.engine.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.sigma.dataplane.engine.uring.PipedBytes;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HeldBytesTest {

    private final HeldBytes held = new HeldBytes();

    @AfterEach
    void release() {
        held.clear();
    }

    private static ByteBuf piece(byte[] content) {
        return PooledByteBufAllocator.DEFAULT.directBuffer(content.length).writeBytes(content);
    }

    private static byte[] all(HeldBytes from) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (ByteBuf piece = from.poll(); piece != null; piece = from.poll()) {
            bytes.writeBytes(ByteBufUtil.getBytes(piece));
            piece.release();
        }
        return bytes.toByteArray();
    }

    private static byte[] content(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @Test
    void singleBytesCostAboutAsMuchMemoryAsTheyAre() {
        for (int i = 0; i < 16 * 1024; i++) {
            held.add(piece(new byte[] {(byte) i}));
        }
        assertThat(held.bytes()).isEqualTo(16 * 1024);
        assertThat(held.cost()).isLessThan(3 * 16 * 1024);
    }

    @Test
    void aShortPieceOfALongBufferDoesNotHoldTheBuffer() {
        ByteBuf large = PooledByteBufAllocator.DEFAULT.directBuffer(68 * 1024).writeZero(68 * 1024);
        held.add(large.retainedSlice(0, 1));
        held.add(large.retainedSlice(100, 20 * 1024));
        assertThat(large.refCnt()).isEqualTo(1);
        assertThat(held.cost()).isLessThan(2 * 20 * 1024);
        large.release();
    }

    @Test
    void aLongPieceIsHeldAsItIs() {
        ByteBuf large = piece(content(40 * 1024));
        held.add(large);
        assertThat(held.poll()).isSameAs(large);
        assertThat(held.cost()).isZero();
        large.release();
    }

    @Test
    void piecesOfEveryLengthKeepTheirOrder() {
        Random random = new Random(7);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        for (int i = 0; i < 2_000; i++) {
            byte[] content = content(random.nextInt(10) == 0 ? random.nextInt(100_000) : random.nextInt(40));
            expected.writeBytes(content);
            held.add(piece(content));
            if (random.nextInt(3) == 0) {
                ByteBuf polled = held.poll();
                if (polled != null) {
                    got.writeBytes(ByteBufUtil.getBytes(polled));
                    polled.release();
                }
            }
        }
        got.writeBytes(all(held));
        assertThat(got.toByteArray()).isEqualTo(expected.toByteArray());
        assertThat(held.bytes()).isZero();
        assertThat(held.cost()).isZero();
    }

    @Test
    void aCopyDoesNotChangeWithWhatFollows() {
        HeldBytes copy = new HeldBytes();
        held.add(piece(new byte[] {1, 2}));
        held.add(piece(content(40 * 1024)));
        held.copyTo(copy);
        held.add(piece(new byte[] {3}));
        copy.add(piece(new byte[] {4}));
        byte[] copied = all(copy);
        assertThat(copied).hasSize(2 + 40 * 1024 + 1).endsWith(4);
        assertThat(all(held)).hasSize(2 + 40 * 1024 + 1).endsWith(3);
    }

    @Test
    void whatCameEarlierGoesFirst() {
        HeldBytes earlier = new HeldBytes();
        earlier.add(piece(new byte[] {1}));
        earlier.add(piece(new byte[] {2}));
        held.add(piece(new byte[] {3}));
        held.prepend(earlier);
        assertThat(earlier.isEmpty()).isTrue();
        assertThat(held.bytes()).isEqualTo(3);
        assertThat(all(held)).containsExactly(1, 2, 3);
    }

    @Test
    void anEmptyPieceIsReleased() {
        ByteBuf empty = Unpooled.buffer(16);
        held.add(empty);
        assertThat(empty.refCnt()).isZero();
        assertThat(held.isEmpty()).isTrue();
    }

    @Test
    void pieceIsReleasedWhenThereIsNoMemoryToCopyItTo() {
        RefusingAllocator buffers = new RefusingAllocator();
        ByteBuf piece = buffers.directBuffer(100).writeZero(100);
        buffers.refuse();
        assertThatThrownBy(() -> held.add(piece)).isInstanceOf(OutOfMemoryError.class);
        assertThat(piece.refCnt()).isZero();
        assertThat(held.bytes()).isZero();
        assertThat(held.cost()).isZero();
    }

    @Test
    void pieceThatIsPassedOnIsReleasedWhenThereIsNoMemoryToKeepItToo() {
        RefusingAllocator buffers = new RefusingAllocator();
        RequestBody body = new RequestBody(new BodySource() {
            @Override
            public void pause() {}

            @Override
            public void resume() {}

            @Override
            public void grew(long bytes) {}

            @Override
            public void bodyTooLarge() {}
        });
        body.to(
                new BodySink() {
                    @Override
                    public void onBody(ByteBuf data) {
                        data.release();
                    }

                    @Override
                    public void onBodyPiped(PipedBytes piece) {
                        piece.release();
                    }

                    @Override
                    public void onBodyEnd() {}
                },
                true);
        ByteBuf piece = buffers.directBuffer(100).writeZero(100);
        buffers.refuse();
        assertThatThrownBy(() -> body.onData(piece)).isInstanceOf(OutOfMemoryError.class);
        assertThat(piece.refCnt()).isZero();
    }

    @Test
    void pieceIsReleasedWhenThereIsNoMemoryForALessWastefulCopy() {
        RefusingAllocator buffers = new RefusingAllocator();
        ByteBuf piece = buffers.directBuffer(1000).writeZero(100);
        buffers.refuse();
        assertThatThrownBy(() -> Pieces.compact(piece)).isInstanceOf(OutOfMemoryError.class);
        assertThat(piece.refCnt()).isZero();
    }

    @Test
    void appendingNeedsNoMemoryAndKeepsTheOrder() {
        HeldBytes later = new HeldBytes();
        held.add(piece(content(10)));
        later.add(piece(content(20)));
        held.append(later);
        held.add(piece(content(30)));
        assertThat(later.bytes()).isZero();
        assertThat(later.isEmpty()).isTrue();
        assertThat(held.bytes()).isEqualTo(60);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.writeBytes(content(10));
        expected.writeBytes(content(20));
        expected.writeBytes(content(30));
        assertThat(all(held)).isEqualTo(expected.toByteArray());
        assertThat(held.cost()).isZero();
    }
}
