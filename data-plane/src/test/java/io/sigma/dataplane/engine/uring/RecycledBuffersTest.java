package io.sigma.dataplane.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.IllegalReferenceCountException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class RecycledBuffersTest {

    private static final int BYTES = 64;

    private static final int GIVEN_MAX = 4;

    private final RecycledBuffers buffers = new RecycledBuffers(BYTES, GIVEN_MAX);

    /** As the ring does with what the kernel has filled. */
    private ByteBuf received(int octets) {
        ByteBuf ofTheRing = buffers.allocate();
        ByteBuf read = ofTheRing.retainedSlice(ofTheRing.writerIndex(), octets);
        ofTheRing.writerIndex(ofTheRing.writerIndex() + octets);
        ofTheRing.release();
        return read;
    }

    @Test
    void whatIsReadHasOneHolderAndIsUsedAgainAfterIt() {
        ByteBuf first = received(10);
        assertThat(first.refCnt()).isEqualTo(1);
        assertThat(first.readableBytes()).isEqualTo(10);
        assertThat(first.release()).isTrue();
        assertThat(first.refCnt()).isZero();
        assertThatExceptionOfType(IllegalReferenceCountException.class).isThrownBy(first::release);
        ByteBuf second = received(20);
        assertThat(second).isSameAs(first);
        assertThat(second.readableBytes()).isEqualTo(20);
        second.release();
    }

    @Test
    void itIsNotUsedAgainWhileSomebodyHoldsAPiece() {
        ByteBuf first = received(10);
        ByteBuf piece = first.retainedSlice(2, 4);
        assertThat(first.release()).isFalse();
        ByteBuf second = received(10);
        assertThat(second).isNotSameAs(first);
        assertThat(piece.release()).isTrue();
        assertThat(received(10)).isSameAs(first);
        first.release();
        second.release();
    }

    @Test
    void oneThatAnotherThreadReleasesIsFreed() {
        ByteBuf first = received(10);
        assertThat(CompletableFuture.supplyAsync(first::release).join()).isTrue();
        assertThat(first.refCnt()).isZero();
        ByteBuf second = received(10);
        assertThat(second).isNotSameAs(first);
        second.release();
    }

    @Test
    void whoHoldsManyGetsCopiesOfTheirOwnLengthAndTheRingKeepsItsBuffer() {
        List<ByteBuf> held = hold(GIVEN_MAX);
        ByteBuf ofTheRing = buffers.allocate();
        ofTheRing.setBytes(0, new byte[] {1, 2, 3});
        ByteBuf copy = ofTheRing.retainedSlice(0, 3);
        ofTheRing.writerIndex(3);
        ofTheRing.release();
        assertThat(copy.capacity()).isEqualTo(3);
        assertThat(ByteBufUtil.getBytes(copy)).containsExactly(1, 2, 3);
        assertThat(buffers.allocate()).isSameAs(ofTheRing);
        assertThat(ofTheRing.writerIndex()).isZero();
        copy.release();
        held.forEach(ByteBuf::release);
        hold(1).getFirst().release();
    }

    @Test
    void whatAnotherThreadReleasesIsHeldNoMore() {
        List<ByteBuf> held = hold(GIVEN_MAX);
        CompletableFuture.runAsync(() -> held.getFirst().release()).join();
        held.set(0, hold(1).getFirst());
        ByteBuf copy = received(3);
        assertThat(copy.capacity()).isEqualTo(3);
        copy.release();
        held.forEach(ByteBuf::release);
    }

    private List<ByteBuf> hold(int count) {
        List<ByteBuf> held = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            held.add(received(3));
            assertThat(held.getLast().capacity()).isEqualTo(BYTES);
        }
        return held;
    }

    @Test
    void fewerAreHeldWhereThereIsLittleMemory() {
        RecycledBuffers few = RecycledBuffers.of(BYTES, 1, 0);
        List<ByteBuf> held = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ByteBuf ofTheRing = few.allocate();
            held.add(ofTheRing.retainedSlice(0, 3));
            ofTheRing.writerIndex(3);
            ofTheRing.release();
        }
        assertThat(held).filteredOn(each -> each.capacity() == BYTES).hasSize(16);
        held.forEach(ByteBuf::release);
    }
}
