package io.sigma.dataplane.engine.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SendBuffersTest {

    private final UnpooledByteBufAllocator others = new UnpooledByteBufAllocator(true, true);
    private final SendBuffers buffers = new SendBuffers();

    @Test
    void whatHasLeftIsUsedAgainAndNothingElseIs() {
        Set<ByteBuf> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 1_000; i++) {
            ByteBuf buffer = buffers.take(100, others);
            assertThat(buffer.readableBytes()).isZero();
            assertThat(buffer.writableBytes()).isEqualTo(SendBuffers.BYTES);
            seen.add(buffer.writeByte(i));
            buffer.release();
        }
        assertThat(seen).hasSizeBetween(1, 128);
        assertThat(others.metric().usedDirectMemory()).isZero();
        buffers.close();
        assertThat(seen).allMatch(buffer -> buffer.refCnt() == 0);
    }

    @Test
    void othersAreAllocatedWhileAllAreHeld() {
        Set<ByteBuf> held = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 200; i++) {
            held.add(buffers.take(100, others));
        }
        assertThat(held).hasSize(200);
        assertThat(others.metric().usedDirectMemory()).isPositive();
        held.forEach(ByteBuf::release);
        assertThat(others.metric().usedDirectMemory()).isZero();
        buffers.close();
    }

    @Test
    void whatIsLongerHasABufferOfItsOwn() {
        ByteBuf buffer = buffers.take(SendBuffers.BYTES + 1, others);
        assertThat(buffer.writableBytes()).isGreaterThan(SendBuffers.BYTES);
        buffer.release();
        assertThat(others.metric().usedDirectMemory()).isZero();
    }

    @Test
    void whoeverElseHoldsOneKeepsIt() {
        ByteBuf buffer = buffers.take(100, others).retain();
        buffer.release();
        Set<ByteBuf> next = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 1_000; i++) {
            ByteBuf other = buffers.take(100, others);
            next.add(other);
            other.release();
        }
        assertThat(next)
                .hasSizeBetween(1, 128)
                .allSatisfy(other -> assertThat(other).isNotSameAs(buffer));
        buffer.release();
        buffers.close();
        assertThat(buffer.refCnt()).isZero();
    }

    @Test
    void whatIsHeldAtTheEndIsFreedLater() {
        ByteBuf buffer = buffers.take(100, others);
        buffers.close();
        assertThat(buffer.refCnt()).isEqualTo(1);
        buffer.release();
        assertThat(buffer.refCnt()).isZero();
    }

    @Test
    void whatIsFullGoesOnInALargerOne() {
        ByteBuf full = buffers.take(100, others).writeInt(7).writeZero(SendBuffers.BYTES - 4);
        full.skipBytes(1);
        ByteBuf larger = Objects.requireNonNull(buffers.larger(full, 1_000));
        assertThat(larger.readerIndex()).isEqualTo(1);
        assertThat(larger.getInt(0)).isEqualTo(7);
        assertThat(larger.writerIndex()).isEqualTo(SendBuffers.BYTES);
        assertThat(larger.writableBytes()).isGreaterThanOrEqualTo(1_000);
        assertThat(buffers.larger(larger, SendBuffers.LARGE_BYTES)).isNull();
        larger.release();
        buffers.close();
        assertThat(full.refCnt()).isZero();
        assertThat(larger.refCnt()).isZero();
    }

    @Test
    void largeOnesAreBounded() {
        List<ByteBuf> held = new ArrayList<>();
        ByteBuf small = buffers.take(100, others);
        ByteBuf larger = buffers.larger(small, 1);
        while (larger != null) {
            held.add(larger);
            small = buffers.take(100, others);
            larger = buffers.larger(small, 1);
        }
        assertThat(held).hasSize(16);
        // It goes on as it is.
        assertThat(small.refCnt()).isPositive();
        small.release();
        held.forEach(ByteBuf::release);
        buffers.close();
        assertThat(held).allMatch(buffer -> buffer.refCnt() == 0);
    }
}
