package io.sigma.dataplane.engine.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

/** The memory of a body is given back, whatever happens to its connection meanwhile. */
final class RequestBodyTest {

    private static final int PIECE_BYTES = 16 * 1024;

    /** A connection that ends as soon as anything more is held for it. */
    private static final class Exhausted implements BodySource {

        private final RequestBody body = new RequestBody(this);

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public void grew(long bytes) {
            body.close();
        }

        @Override
        public void bodyTooLarge() {}
    }

    @Test
    void pieceIsGivenBackWhenTheConnectionEndsBecauseTooMuchIsHeld() {
        RequestBody body = new Exhausted().body;
        ByteBuf piece = Unpooled.directBuffer(PIECE_BYTES).writeZero(PIECE_BYTES);
        body.onData(piece);
        assertThat(piece.refCnt()).isZero();
        assertThat(body.cost()).isZero();
    }
}
