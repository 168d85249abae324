package io.sigma.dataplane.engine.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class RecycledBuffersTest {

    private static final int BYTES = 64;

    private final RecycledBuffers buffers = new RecycledBuffers(BYTES);

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
}
