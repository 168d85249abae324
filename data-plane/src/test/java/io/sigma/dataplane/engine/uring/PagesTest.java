package io.sigma.dataplane.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class PagesTest {

    private static final int PAGE = 4096;

    /** Pages that the machine took back are zero when they are used again. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void wholePagesOfABufferGoBackToTheMachine() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(16 * PAGE);
        while (buffer.hasRemaining()) {
            buffer.put((byte) 1);
        }

        Pages.release(buffer.flip());

        int kept = 0;
        while (buffer.hasRemaining()) {
            kept += buffer.get();
        }
        // At both ends there may be a part of a page, which others use too.
        assertThat(kept).isLessThan(2 * PAGE);
    }

    @Test
    void aBufferWithoutAWholePageStaysAsItIs() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(PAGE / 2).put(0, (byte) 1);

        Pages.release(buffer);

        assertThat(buffer.get(0)).isEqualTo((byte) 1);
    }
}
