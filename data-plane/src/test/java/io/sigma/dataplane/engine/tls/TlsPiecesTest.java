package io.sigma.dataplane.engine.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TlsPiecesTest {

    private static final int BUFFER_BYTES = 69_696;

    private static ByteBuf piece(int length) {
        return Unpooled.buffer(BUFFER_BYTES).writeZero(length);
    }

    @Test
    void buffersOfSmallPiecesAreNotHeldUntilTheRecordIsComplete() {
        List<ByteBuf> pieces = new ArrayList<>();
        ByteBuf all = Unpooled.EMPTY_BUFFER;
        for (int i = 0; i < 10_000; i++) {
            ByteBuf piece = piece(1).setByte(0, i);
            pieces.add(piece);
            all = TlsPieces.CUMULATOR.cumulate(UnpooledByteBufAllocator.DEFAULT, all, piece);
        }
        assertThat(all.readableBytes()).isEqualTo(10_000);
        assertThat(all.getByte(9_999)).isEqualTo((byte) 9_999);
        assertThat(pieces).filteredOn(piece -> piece.refCnt() > 0).hasSizeLessThanOrEqualTo(1);
        assertThat(all.capacity()).isLessThanOrEqualTo(BUFFER_BYTES);
        all.release();
    }

    @Test
    void longPiecesAreNotCopied() {
        ByteBuf first = piece(60_000);
        ByteBuf second = piece(60_000);
        ByteBuf all = TlsPieces.CUMULATOR.cumulate(UnpooledByteBufAllocator.DEFAULT, Unpooled.EMPTY_BUFFER, first);
        all = TlsPieces.CUMULATOR.cumulate(UnpooledByteBufAllocator.DEFAULT, all, second);
        assertThat(all.readableBytes()).isEqualTo(120_000);
        assertThat(second.refCnt()).isEqualTo(1);
        all = TlsPieces.CUMULATOR.cumulate(UnpooledByteBufAllocator.DEFAULT, all, piece(1));
        assertThat(all.readableBytes()).isEqualTo(120_001);
        all.release();
        assertThat(first.refCnt() + second.refCnt()).isZero();
    }
}
